/** A browser bundle gets this file instead of the package (the export condition `browser`): nothing but this error. */
throw new Error(
  '@purchase-widget/server holds the keys of your business and must never be part of a browser bundle. Import it in server code only; a page opens the widget with @purchase-widget/loader.',
)

export {}
