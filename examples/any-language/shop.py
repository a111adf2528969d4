"""A whole shop beside `purchase-widget serve`, with Python's standard library alone. Start it with: python3 shop.py"""
import base64, hashlib, hmac, json, os, secrets, sqlite3, time
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PRICES = {"gold-100": "0.99"}
TITLES = {"/thanks": "Thank you", "/basket": "Not paid"}
HOOK_KEY = base64.b64decode(os.environ["PURCHASE_HOOK_SECRET"].removeprefix("whsec_"))
SESSION_KEY = os.environ["SESSION_SECRET"].encode()
PAGE = """<!doctype html><html lang="en"><title>Shop</title><h1>{title}</h1>
<script async src="/api/purchase-widget/purchase-widget.js"></script>
<p><a href="/api/purchase-widget/launch?product_id=gold-100" data-purchase-widget data-mode="popup">Buy 100 gold</a></p>
<p><a href="/sign-in">Sign in</a> <a href="/sign-out">Sign out</a></p><ul>{items}</ul></html>"""

def database():
    connection = sqlite3.connect(os.environ.get("DATABASE", "shop.sqlite"), timeout=10)
    connection.execute("CREATE TABLE IF NOT EXISTS deliveries (webhook_id TEXT PRIMARY KEY, shopper TEXT, product TEXT)")
    return connection

def session(shopper):
    return shopper + "." + hmac.new(SESSION_KEY, shopper.encode(), hashlib.sha256).hexdigest()

def shopper_of(cookie):
    shopper = cookie.split(".")[0]
    return shopper if hmac.compare_digest(session(shopper).encode(), cookie.encode()) else None

# Standard Webhooks: the same function verifies a call and signs its answer.
def sign(webhook_id, timestamp, body):
    mac = hmac.new(HOOK_KEY, f"{webhook_id}.{timestamp}.".encode() + body, hashlib.sha256)
    return "v1," + base64.b64encode(mac.digest()).decode()

def is_genuine(headers, body):
    webhook_id, timestamp, signature = (headers.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
    is_recent = timestamp.isdecimal() and abs(time.time() - int(timestamp)) <= 300
    return is_recent and hmac.compare_digest(sign(webhook_id, timestamp, body).encode(), signature.encode())

def authorize(call, _):
    shopper = shopper_of(call["cookies"].get("session", ""))
    return {"customId": shopper} if shopper else None  # None: 401, nobody is signed in

def create_purchase(call, _):
    product = call["params"].get("product_id")
    if product not in PRICES:
        return {"refused": "We do not sell that."}
    params = {"product_id": product, "quote": "USD", "quote_amount": PRICES[product]}
    return {"params": params, "returnUrl": "/thanks", "failReturnUrl": "/basket"}

def on_order(call, webhook_id):
    order, state = call["order"], call["purchase"]["state"]
    if order["type"] == "order_complete" and state in ("matched", "renewal"):
        with database() as connection:  # The key makes a second call for the same order do nothing.
            row = (webhook_id, order["custom_id"], order["product_id"])
            connection.execute("INSERT OR IGNORE INTO deliveries VALUES (?, ?, ?)", row)
    elif order["type"] == "order_complete":
        print(f"Order {order['id']} is paid but {state}: review it before you deliver.", flush=True)
    return {}

HOOKS = {"/hooks/authorize": authorize, "/hooks/purchase": create_purchase, "/hooks/order": on_order}

class Shop(BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path in ("/sign-in", "/sign-out"):  # Stands for your own sign-in.
            value = session(secrets.token_hex(8)) if self.path == "/sign-in" else ""
            return self.answer(303, headers={"location": "/", "set-cookie": f"session={value}; Path=/; HttpOnly; SameSite=Lax"})
        cookie = SimpleCookie(self.headers.get("cookie", "")).get("session")
        rows = database().execute("SELECT product FROM deliveries WHERE shopper = ?", (cookie and shopper_of(cookie.value),))
        items = "".join(f"<li>{product}</li>" for product, in rows)
        page = PAGE.format(title=TITLES.get(self.path.split("?")[0], "Shop"), items=items)
        self.answer(200, page.encode(), {"content-type": "text/html; charset=utf-8"})

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if self.path not in HOOKS or not is_genuine(self.headers, body):
            return self.answer(403)
        webhook_id, now = self.headers["webhook-id"], str(int(time.time()))
        answer = HOOKS[self.path](json.loads(body), webhook_id)
        if answer is None:
            return self.answer(401)
        text, answer_id = json.dumps(answer).encode(), "answer_" + webhook_id
        signature = sign(answer_id, now, text)
        self.answer(200, text, {"webhook-id": answer_id, "webhook-timestamp": now, "webhook-signature": signature})

    def answer(self, status, body=b"", headers={}):
        self.send_response(status)
        for name, value in {**headers, "content-length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8000"))), Shop).serve_forever()
