<?php
// A whole shop beside `purchase-widget serve`, in plain PHP. Start it with: php -S 127.0.0.1:8000 shop.php
const PRICES = ['gold-100' => '0.99'];
const TITLES = ['/' => 'Shop', '/thanks' => 'Thank you', '/basket' => 'Not paid'];

function database(): PDO {
    $database = new PDO('sqlite:' . (getenv('DATABASE') ?: 'shop.sqlite'), options: [PDO::ATTR_TIMEOUT => 10]);
    $database->exec('CREATE TABLE IF NOT EXISTS deliveries (webhook_id TEXT PRIMARY KEY, shopper TEXT, product TEXT)');
    return $database;
}

function session(string $shopper): string {
    return $shopper . '.' . hash_hmac('sha256', $shopper, getenv('SESSION_SECRET'));
}

function shopperOf(string $cookie): ?string {
    $shopper = explode('.', $cookie)[0];
    return hash_equals(session($shopper), $cookie) ? $shopper : null;
}

// Standard Webhooks: the same ten lines verify a hook and sign its answer.
function sign(string $id, string $timestamp, string $body): string {
    $key = base64_decode(substr(getenv('PURCHASE_HOOK_SECRET'), strlen('whsec_')));
    return 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
}

function isGenuine(string $id, string $timestamp, string $signatures, string $body): bool {
    $expected = sign($id, $timestamp, $body);
    $fits = array_filter(explode(' ', $signatures), fn ($given) => hash_equals($expected, $given));
    return abs(time() - (int) $timestamp) <= 300 && count($fits) > 0;
}

function authorize(array $hook): ?array {
    $shopper = shopperOf($hook['cookies']['session'] ?? '');
    return $shopper === null ? null : ['customId' => $shopper]; // null: 401, nobody is signed in
}

function createPurchase(array $hook): array {
    $product = $hook['params']['product_id'] ?? '';
    if (!isset(PRICES[$product])) return ['refused' => 'We do not sell that.'];
    $params = ['product_id' => $product, 'quote' => 'USD', 'quote_amount' => PRICES[$product]];
    return ['params' => $params, 'returnUrl' => '/thanks', 'failReturnUrl' => '/basket'];
}

function onOrder(array $hook, string $webhookId): array {
    ['order' => $order, 'purchase' => $purchase] = $hook;
    if ($order['type'] !== 'order_complete') return [];
    if (in_array($purchase['state'], ['matched', 'renewal'], true)) {
        // The key makes a second call for the same order do nothing.
        database()->prepare('INSERT OR IGNORE INTO deliveries VALUES (?, ?, ?)')->execute([$webhookId, $order['custom_id'], $order['product_id']]);
    } else error_log("Order {$order['id']} is paid but {$purchase['state']}: look at it before you deliver.");
    return [];
}

$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if ($_SERVER['REQUEST_METHOD'] === 'POST') {
    [$id, $body] = [$_SERVER['HTTP_WEBHOOK_ID'] ?? '', file_get_contents('php://input')];
    if (!isGenuine($id, $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '', $body)) exit(http_response_code(403));
    $hook = json_decode($body, true);
    $answer = match ($path) { '/hooks/authorize' => authorize($hook), '/hooks/purchase' => createPurchase($hook), '/hooks/order' => onOrder($hook, $id) };
    if ($answer === null) exit(http_response_code(401));
    [$text, $now] = [json_encode($answer), (string) time()];
    foreach (['webhook-id' => "answer_$id", 'webhook-timestamp' => $now, 'webhook-signature' => sign("answer_$id", $now, $text)] as $name => $value) header("$name: $value");
    exit($text);
}
if ($path === '/sign-in' || $path === '/sign-out') { // Stands for your own sign-in.
    setcookie('session', $path === '/sign-in' ? session(bin2hex(random_bytes(8))) : '', ['path' => '/', 'httponly' => true, 'samesite' => 'Lax']);
    exit(header('location: /', true, 303));
}
$rows = database()->prepare('SELECT product FROM deliveries WHERE shopper = ?');
$rows->execute([shopperOf($_COOKIE['session'] ?? '')]);
?>
<!doctype html><html lang="en"><title>Shop</title><h1><?= TITLES[$path] ?? 'Shop' ?></h1>
<script async src="/api/purchase-widget/purchase-widget.js"></script>
<p><a href="/api/purchase-widget/launch?product_id=gold-100" data-purchase-widget data-mode="popup">Buy 100 gold</a></p>
<p><a href="/sign-in">Sign in</a> <a href="/sign-out">Sign out</a></p><ul><?php foreach ($rows as [$product]) echo "<li>$product</li>"; ?></ul></html>
