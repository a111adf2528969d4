<?php
// A whole shop beside `purchase-widget serve`, in plain PHP. Start it with: php -S 127.0.0.1:8000 shop.php
const PRICES = ['gold-100' => '0.99'];
const TITLES = ['/' => 'Shop', '/thanks' => 'Thank you', '/basket' => 'Not paid'];
const HOOKS = ['/hooks/authorize' => 'authorize', '/hooks/purchase' => 'createPurchase', '/hooks/order' => 'onOrder'];

function database(): PDO {
    $database = new PDO('sqlite:' . (getenv('DATABASE') ?: 'shop.sqlite'), options: [PDO::ATTR_TIMEOUT => 10]);
    $database->exec('CREATE TABLE IF NOT EXISTS deliveries (webhook_id TEXT PRIMARY KEY, shopper TEXT, product TEXT)');
    return $database;
}

// Standard Webhooks: the same function verifies a call and signs its answer.
function sign(string $id, string $timestamp, string $body): string {
    $key = base64_decode(substr(getenv('PURCHASE_HOOK_SECRET'), strlen('whsec_')));
    return 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
}

function isGenuine(string $id, string $timestamp, string $signature, string $body): bool {
    return abs(time() - (int) $timestamp) <= 300 && hash_equals(sign($id, $timestamp, $body), $signature);
}

function shopper(): ?string {
    session_start(['cookie_httponly' => true, 'cookie_samesite' => 'Lax', 'use_strict_mode' => true]);
    return $_SESSION['shopper'] ?? null;
}

// The shopper's cookies come with the call, so this is the session of the shopper's own requests.
function authorize(): ?array {
    $shopper = shopper();
    return $shopper === null ? null : ['customId' => $shopper];
}

function createPurchase(array $call): array {
    $product = $call['params']['product_id'] ?? '';
    if (!isset(PRICES[$product])) return ['refused' => 'We do not sell that.'];
    $params = ['product_id' => $product, 'quote' => 'USD', 'quote_amount' => PRICES[$product]];
    return ['params' => $params, 'returnUrl' => '/thanks', 'failReturnUrl' => '/basket'];
}

function onOrder(array $call, string $webhookId): array {
    ['order' => $order, 'purchase' => ['state' => $state]] = $call;
    if ($order['type'] !== 'order_complete') return [];
    if ($state !== 'matched' && $state !== 'renewal') {
        error_log("Order {$order['id']} is paid but $state: review it before you deliver.");
        return [];
    }
    // The key makes a second call for the same order do nothing.
    $insert = database()->prepare('INSERT OR IGNORE INTO deliveries VALUES (?, ?, ?)');
    $insert->execute([$webhookId, $order['custom_id'], $order['product_id']]);
    return [];
}

$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);

if (isset(HOOKS[$path])) {
    [$id, $body] = [$_SERVER['HTTP_WEBHOOK_ID'] ?? '', file_get_contents('php://input')];
    [$timestamp, $signature] = [$_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? ''];
    if (!isGenuine($id, $timestamp, $signature, $body)) exit(http_response_code(403));
    $answer = HOOKS[$path](json_decode($body, true), $id);
    if ($answer === null) exit(http_response_code(401)); // Nobody is signed in.
    [$text, $now] = [json_encode($answer), (string) time()];
    header("webhook-id: answer_$id");
    header("webhook-timestamp: $now");
    header('webhook-signature: ' . sign("answer_$id", $now, $text));
    exit($text);
}

$shopper = shopper();
if ($path === '/sign-in' || $path === '/sign-out') { // Stands for your own sign-in.
    session_regenerate_id(true);
    $_SESSION = $path === '/sign-in' ? ['shopper' => bin2hex(random_bytes(8))] : [];
    exit(header('location: /', true, 303));
}

$deliveries = database()->prepare('SELECT product FROM deliveries WHERE shopper = ?');
$deliveries->execute([$shopper]);
?>
<!doctype html><html lang="en"><title>Shop</title><h1><?= TITLES[$path] ?? 'Shop' ?></h1>
<script async src="/api/purchase-widget/purchase-widget.js"></script>
<p><a href="/api/purchase-widget/launch?product_id=gold-100" data-purchase-widget data-mode="popup">Buy 100 gold</a></p>
<p><a href="/sign-in">Sign in</a> <a href="/sign-out">Sign out</a></p>
<ul><?php foreach ($deliveries as [$product]) echo "<li>$product</li>"; ?></ul></html>
