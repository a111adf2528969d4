<?php
// Laravel, as Debian's php-laravel-framework has it, with the routes of routes.php.
use Illuminate\Filesystem\FilesystemServiceProvider;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\{Facade, Route};
use Illuminate\View\ViewServiceProvider;
use Symfony\Component\HttpKernel\Exception\HttpExceptionInterface;

require 'Illuminate/autoload.php';
// It is older than this PHP.
error_reporting(E_ALL & ~E_DEPRECATED);
$application = new Illuminate\Foundation\Application(__DIR__);
$application->instance('request', Request::capture());
$application->instance('config', new Illuminate\Config\Repository(['view' => ['paths' => [], 'compiled' => __DIR__]]));
$application->register(FilesystemServiceProvider::class);
$application->register(ViewServiceProvider::class);
Facade::setFacadeApplication($application);
require 'routes.php';
try {
    Route::dispatch($application['request'])->send();
} catch (HttpExceptionInterface $refusal) {
    http_response_code($refusal->getStatusCode());
}
