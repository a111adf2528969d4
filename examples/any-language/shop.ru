# A whole shop beside `purchase-widget serve`, on Rack. Start it with: rackup --host 127.0.0.1 --port 8000 shop.ru
require 'json'
require 'openssl'
require 'rack/session/cookie'
require 'securerandom'
require 'sqlite3'

PRICES = { 'gold-100' => '0.99' }.freeze
TITLES = { '/thanks' => 'Thank you', '/basket' => 'Not paid' }.freeze
HOOKS = { '/hooks/authorize' => :authorize, '/hooks/purchase' => :create_purchase, '/hooks/order' => :on_order }.freeze
HOOK_KEY = ENV.fetch('PURCHASE_HOOK_SECRET').delete_prefix('whsec_').unpack1('m')

DATABASE = SQLite3::Database.new(ENV.fetch('DATABASE', 'shop.sqlite'))
DATABASE.busy_timeout = 10_000
DATABASE.execute('CREATE TABLE IF NOT EXISTS deliveries (webhook_id TEXT PRIMARY KEY, shopper TEXT, product TEXT)')

use Rack::Session::Cookie, secret: ENV.fetch('SESSION_SECRET'), same_site: :lax

# Standard Webhooks: the same method verifies a call and signs its answer.
def sign(id, timestamp, body)
  "v1,#{[OpenSSL::HMAC.digest('SHA256', HOOK_KEY, "#{id}.#{timestamp}.#{body}")].pack('m0')}"
end

def genuine?(id, timestamp, signature, body)
  (Time.now.to_i - timestamp.to_i).abs <= 300 && Rack::Utils.secure_compare(sign(id, timestamp, body), signature)
end

# The shopper's cookies come with the call, so this is the session of the shopper's own requests.
def authorize(request, _call)
  shopper = request.session['shopper']
  { customId: shopper } if shopper # nil: 401, nobody is signed in
end

def create_purchase(_request, call)
  product = call['params']['product_id']
  price = PRICES[product] or return { refused: 'We do not sell that.' }
  { params: { product_id: product, quote: 'USD', quote_amount: price }, returnUrl: '/thanks', failReturnUrl: '/basket' }
end

def on_order(request, call)
  order, state = call['order'], call['purchase']['state']
  if order['type'] == 'order_complete' && %w[matched renewal].include?(state)
    # The key makes a second call for the same order do nothing.
    row = [request.get_header('HTTP_WEBHOOK_ID'), order['custom_id'], order['product_id']]
    DATABASE.execute('INSERT OR IGNORE INTO deliveries VALUES (?, ?, ?)', row)
  elsif order['type'] == 'order_complete'
    warn "Order #{order['id']} is paid but #{state}: review it before you deliver."
  end
  {}
end

def answer(request)
  id, timestamp, signature = %w[ID TIMESTAMP SIGNATURE].map { |name| request.get_header("HTTP_WEBHOOK_#{name}").to_s }
  body = request.body.read
  return [403, {}, []] unless genuine?(id, timestamp, signature, body)

  answer = send(HOOKS.fetch(request.path), request, JSON.parse(body)) or return [401, {}, []]
  id, now, text = "answer_#{id}", Time.now.to_i.to_s, answer.to_json
  [200, { 'webhook-id' => id, 'webhook-timestamp' => now, 'webhook-signature' => sign(id, now, text) }, [text]]
end

def sign_in(request) # Stands for your own sign-in.
  request.session['shopper'] = request.path == '/sign-in' ? SecureRandom.hex(8) : nil
  [303, { 'location' => '/' }, []]
end

def page(request)
  products = DATABASE.execute('SELECT product FROM deliveries WHERE shopper = ?', [request.session['shopper']])
  [200, { 'content-type' => 'text/html; charset=utf-8' }, [<<~HTML]]
    <!doctype html><html lang="en"><title>Shop</title><h1>#{TITLES.fetch(request.path, 'Shop')}</h1>
    <script async src="/api/purchase-widget/purchase-widget.js"></script>
    <p><a href="/api/purchase-widget/launch?product_id=gold-100" data-purchase-widget data-mode="popup">Buy 100 gold</a></p>
    <p><a href="/sign-in">Sign in</a> <a href="/sign-out">Sign out</a></p>
    <ul>#{products.map { |(product)| "<li>#{product}</li>" }.join}</ul></html>
  HTML
end

run(lambda do |env|
  request = Rack::Request.new(env)
  case request.path
  when *HOOKS.keys then answer(request)
  when '/sign-in', '/sign-out' then sign_in(request)
  else page(request)
  end
end)
