# A whole shop beside `purchase-widget serve`, on Rack. Start it with: rackup --host 127.0.0.1 --port 8000 shop.ru
require 'json'
require 'openssl'
require 'securerandom'
require 'sqlite3'

PRICES = { 'gold-100' => '0.99' }.freeze
HOOKS = { '/hooks/authorize' => :authorize, '/hooks/purchase' => :create_purchase, '/hooks/order' => :on_order }.freeze
TITLES = { '/' => 'Shop', '/thanks' => 'Thank you', '/basket' => 'Not paid' }.freeze
HOOK_KEY = ENV.fetch('PURCHASE_HOOK_SECRET').delete_prefix('whsec_').unpack1('m')

DATABASE = SQLite3::Database.new(ENV.fetch('DATABASE', 'shop.sqlite'))
DATABASE.busy_timeout = 10_000
DATABASE.execute('CREATE TABLE IF NOT EXISTS deliveries (webhook_id TEXT PRIMARY KEY, shopper TEXT, product TEXT)')

def session(shopper) = "#{shopper}.#{OpenSSL::HMAC.hexdigest('SHA256', ENV.fetch('SESSION_SECRET'), shopper)}"

def shopper_of(cookie)
  shopper = cookie.to_s.split('.').first.to_s
  shopper if Rack::Utils.secure_compare(session(shopper), cookie.to_s)
end

# Standard Webhooks: the same ten lines verify a hook and sign its answer.
def sign(id, timestamp, body) = "v1,#{[OpenSSL::HMAC.digest('SHA256', HOOK_KEY, "#{id}.#{timestamp}.#{body}")].pack('m0')}"

def genuine?(id, timestamp, signatures, body)
  expected = sign(id, timestamp, body)
  (Time.now.to_i - timestamp.to_i).abs <= 300 && signatures.split.any? { |given| Rack::Utils.secure_compare(expected, given) }
end

def authorize(hook, _id)
  shopper = shopper_of(hook['cookies']['session'])
  { customId: shopper } if shopper # nil: 401, nobody is signed in
end

def create_purchase(hook, _id)
  product = hook['params']['product_id']
  price = PRICES[product] or return { refused: 'We do not sell that.' }
  { params: { product_id: product, quote: 'USD', quote_amount: price }, returnUrl: '/thanks', failReturnUrl: '/basket' }
end

def on_order(hook, webhook_id)
  order, purchase = hook.values_at('order', 'purchase')
  return {} unless order['type'] == 'order_complete'

  if %w[matched renewal].include?(purchase['state'])
    # The key makes a second call for the same order do nothing.
    row = [webhook_id, order['custom_id'], order['product_id']]
    DATABASE.execute('INSERT OR IGNORE INTO deliveries VALUES (?, ?, ?)', row)
  else
    warn "Order #{order['id']} is paid but #{purchase['state']}: look at it before you deliver."
  end
  {}
end

def hook(request)
  id, body = request.get_header('HTTP_WEBHOOK_ID').to_s, request.body.read
  timestamp, signatures = %w[TIMESTAMP SIGNATURE].map { |name| request.get_header("HTTP_WEBHOOK_#{name}").to_s }
  return [403, {}, []] unless genuine?(id, timestamp, signatures, body)

  answer = send(HOOKS.fetch(request.path), JSON.parse(body), id) or return [401, {}, []]
  text, now = answer.to_json, Time.now.to_i.to_s
  [200, { 'webhook-id' => "answer_#{id}", 'webhook-timestamp' => now, 'webhook-signature' => sign("answer_#{id}", now, text) }, [text]]
end

def page(request)
  rows = DATABASE.execute('SELECT product FROM deliveries WHERE shopper = ?', [shopper_of(request.cookies['session'])])
  <<~HTML
    <!doctype html><html lang="en"><title>Shop</title><h1>#{TITLES.fetch(request.path, 'Shop')}</h1>
    <script async src="/api/purchase-widget/purchase-widget.js"></script>
    <p><a href="/api/purchase-widget/launch?product_id=gold-100" data-purchase-widget data-mode="popup">Buy 100 gold</a></p>
    <p><a href="/sign-in">Sign in</a> <a href="/sign-out">Sign out</a></p><ul>#{rows.map { |(product)| "<li>#{product}</li>" }.join}</ul></html>
  HTML
end

run(lambda do |env|
  request = Rack::Request.new(env)
  next hook(request) if request.post?
  next [200, { 'content-type' => 'text/html; charset=utf-8' }, [page(request)]] unless %w[/sign-in /sign-out].include?(request.path)

  value = request.path == '/sign-in' ? session(SecureRandom.hex(8)) : '' # Stands for your own sign-in.
  [303, { 'location' => '/', 'set-cookie' => "session=#{value}; Path=/; HttpOnly; SameSite=Lax" }, []]
end)
