/** The direction of imports, which `check` enforces. scripts/test/imports.test.ts breaks each rule once. */

/** Folders of one package, top first: each imports only from those below it. */
const layers = (base, folders) =>
  folders.slice(1).map((folder, index) => ({
    name: `${base}: ${folder}`,
    comment: 'A folder imports only from those below it.',
    from: { path: `^${base}/(${folder})` },
    to: { path: `^${base}/(${folders.slice(0, index + 1).join('|')})` },
  }))

/** A published package imports from the workspace only what its manifest names. */
const alone = (name, others) => ({
  name: `${name} alone`,
  comment: `The package ${name} shares no code with ${others.join(', ')}.`,
  from: { path: `^packages/${name}/(src|testing)/` },
  to: { path: `^((packages|@purchase-widget)/(${others.join('|')})|apps/|e2e/|bench/|scripts/|examples/)` },
})

const rules = [
  {
    name: 'no circle',
    comment: 'Files in a circle cannot be read one at a time.',
    from: {},
    to: { circular: true },
  },
  alone('loader', ['react', 'server', 'sandbox']),
  alone('react', ['server', 'sandbox']),
  alone('server', ['loader', 'react', 'sandbox']),
  alone('sandbox', ['loader', 'react', 'server']),
  {
    name: 'react: public entry',
    comment: 'The bindings use only what the loader exports to everyone.',
    from: { path: '^packages/react/src/' },
    to: { path: '^packages/loader/', pathNot: '^packages/loader/src/index\\.ts$' },
  },
  {
    name: 'pages without server',
    comment: 'A bundle for the browser never contains server code.',
    // It passes on the text of a server file, which the page shows and does not run.
    from: { path: '^(apps/[^/]+/web|examples/[^/]+/src)/', pathNot: '/serverCode\\.ts$' },
    to: { path: '^(packages/server/|apps/[^/]+/server/)' },
  },
  {
    name: 'demo server without pages',
    comment: 'The server of the demo knows nothing about its pages.',
    from: { path: '^apps/[^/]+/server/' },
    to: { path: '^(packages/(loader|react)/|apps/[^/]+/web/)' },
  },
  {
    name: 'loader: surfaces',
    comment: 'A surface knows neither what opens it nor what becomes of the purchase.',
    from: { path: '^packages/loader/src/surfaces/' },
    to: {
      path: '^packages/loader/src/(opening|outcome|entries|index|createPurchaseWidget|early|getPendingResult|lateSession|rest|session|stage|widget)',
    },
  },
  ...layers('packages/loader/src', ['entries/', 'opening/', 'outcome/']),
  ...layers('packages/server/src', [
    'cli/|serve/',
    'doctor/',
    'adapters/',
    'companion/',
    'fulfilment/',
    'purchase/(?!purchase\\.ts)',
    'token/',
    'stores/',
    'client/',
  ]),
  ...layers('packages/sandbox/src', [
    'testing/|console/|createSandbox|options|commandLine|cli',
    'http/',
    'control/',
    'webhooks/',
    'service/',
    'domain/',
    'state/',
    'simulation/',
    'widget/',
  ]),
  {
    name: 'sandbox: protocols',
    comment: 'The server of a page knows only the protocol of the page.',
    from: { path: '^packages/sandbox/src/', pathNot: '^packages/sandbox/src/(widget|console|testing)/' },
    to: { path: '^packages/sandbox/src/(widget|console)/', pathNot: '/widget/protocol\\.ts$' },
  },
]

export default {
  forbidden: rules.map((rule) => ({ severity: 'error', ...rule })),
  options: {
    // TypeScript 7 has no API for parsers.
    parser: 'swc',
    exclude: { path: '(^|/)(node_modules|dist|generated|outside/projects)/|\\.(vue|svelte)$' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
}
