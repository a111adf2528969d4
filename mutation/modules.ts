/** The modules that handle money or trust, and their tests. */

export interface Module {
  /** Files to mutate, relative to the repository root. */
  mutate: readonly string[]
  /** Files whose tests must detect the mutations. */
  tests: readonly string[]
  /** Their tests are fast: a run that has not ended after seconds never will. */
  areQuick?: boolean
  /** The package whose browser tests run in Chromium. */
  page?: 'loader' | 'react'
}

const server = (...names: string[]): string[] => names.map((name) => `packages/server/test/${name}.test.ts`)
const companion = (...names: string[]): string[] => server(...names.map((name) => `companion/${name}`))
/** Tests with complete requests to the companion. */
const requests = companion(
  'limits',
  'link',
  'options',
  'orders',
  'origins',
  'routes',
  'script',
  'ticketOpening',
  'token',
  'user',
)
const loader = (...names: string[]): string[] => names.map((name) => `packages/loader/test/${name}.test.ts`)
const pages = (...names: string[]): string[] => loader(...names.map((name) => `browser/${name}`))
const sandbox = (...names: string[]): string[] => names.map((name) => `packages/sandbox/test/${name}.test.ts`)

export const modules = {
  purchase: {
    mutate: ['packages/server/src/purchase/*.ts'],
    // Unit tests of each part: testing through whole purchases takes hours.
    tests: server(
      'purchase/assess',
      'purchase/begin',
      'purchase/carrier',
      'purchase/decision',
      'purchase/known',
      'purchase/match',
      'purchase/ofShopper',
      'purchase/readOrders',
      'purchase/status',
      'purchase/subscriptions',
      'companion/ticketOpening',
      'companion/failAddress',
      'companion/link',
      'companion/orders',
      'reads',
    ),
  },
  fulfilment: {
    mutate: ['packages/server/src/fulfilment/*.ts'],
    tests: server(
      'fulfilment/deliver',
      'fulfilment/hint',
      'fulfilment/orders',
      'fulfilment/queue',
      'fulfilment/reconcile',
      'fulfilment/schedule',
      'proofs/renewalReads',
      'proofs/renewals',
    ),
    areQuick: true,
  },
  lease: {
    mutate: ['packages/server/src/token/*.ts'],
    tests: server('token/lease', 'token/shared', 'options'),
  },
  guard: {
    mutate: [
      'packages/server/src/companion/{guard,authorise,asked,limits}.ts',
      'packages/sandbox/src/http/guard.ts',
    ],
    tests: [
      ...requests,
      ...companion('failAddress', 'guests'),
      ...server('purchase/begin', 'purchase/known'),
      ...sandbox('guard', 'hostileRequests', 'reachable'),
    ],
  },
  routes: {
    mutate: ['packages/server/src/companion/routes/*.ts'],
    tests: [
      ...requests,
      ...companion('returnPage'),
      ...server('fulfilment/webhook', 'purchase/begin', 'purchase/known', 'purchase/readOrders'),
    ],
  },
  answers: {
    mutate: ['packages/server/src/client/{answers,wire,declines,operations}.ts'],
    tests: [
      ...server('client/answers', 'client/inputs', 'client/operations', 'doctor/service'),
      ...companion('mistakes'),
    ],
  },
  redaction: {
    mutate: ['packages/server/src/errors.ts'],
    tests: companion('report'),
  },
  opening: {
    mutate: ['packages/loader/src/opening/!(options).ts', 'packages/loader/src/{opening,session}.ts'],
    tests: pages(
      'detached',
      'frame',
      'framePolicy',
      'lackingBrowser',
      'lifecycle',
      'link',
      'messages',
      'modal',
      'pending',
      'popup',
      'preloaded',
      'purchase',
      'redirectPage',
      'returnAddresses',
      'silentReturn',
      'stages',
      'target',
      'token',
      'underWay',
      'update',
      'wayOut',
      'withoutStage',
    ),
    page: 'loader',
  },
  outcome: {
    mutate: [
      'packages/loader/src/outcome/{channel,confirm,conclude,follow,kept,pending}.ts',
      'packages/loader/src/entries/return.ts',
      'packages/loader/src/getPendingResult.ts',
    ],
    tests: pages(
      'detached',
      'hearing',
      'link',
      'messages',
      'pending',
      'popup',
      'purchase',
      'redirectPage',
      'return',
      'returnAddresses',
      'scriptTagPages',
      'silentReturn',
      'token',
      'underWay',
      'wayOut',
      'withoutStage',
    ),
    page: 'loader',
  },
  surfaces: {
    mutate: ['packages/loader/src/surfaces/*.ts'],
    tests: pages(
      'belowTheFold',
      'detached',
      'frame',
      'framePolicy',
      'lackingBrowser',
      'lifecycle',
      'link',
      'modal',
      'popup',
      'wayOut',
    ),
    page: 'loader',
  },
  stages: {
    mutate: ['packages/loader/src/{early,lateSession,notice,stage,widget}.ts'],
    tests: pages('lifecycle', 'stages', 'update', 'withoutStage'),
    page: 'loader',
  },
  scriptTag: {
    mutate: [
      'packages/loader/src/entries/{element,press,scriptTag,scriptTagRest}.ts',
      'packages/loader/src/attributes.ts',
    ],
    tests: pages(
      'attributes',
      'belowTheFold',
      'element',
      'foreignNames',
      'sanitisedHtml',
      'scriptTag',
      'scriptTagFirst',
      'scriptTagFollowed',
      'scriptTagPages',
      'scriptTagWindow',
    ),
    page: 'loader',
  },
  results: {
    mutate: ['packages/loader/src/outcome/{result,phases}.ts', 'packages/loader/src/emitter.ts'],
    tests: loader('result', 'phases', 'emitter'),
  },
  addresses: {
    mutate: [
      'packages/loader/src/{check,development,url,returnAddress}.ts',
      'packages/loader/src/opening/options.ts',
    ],
    tests: loader('options', 'url', 'parseReturnUrl', 'resolveRedirect', 'hostileAddresses', 'bareEngine'),
  },
  bindings: {
    mutate: ['packages/react/src/*.ts'],
    tests: ['button', 'component', 'hook', 'hydration', 'life', 'reload', 'reporter'].map(
      (name) => `packages/react/test/browser/${name}.test.tsx`,
    ),
    page: 'react',
  },
  domain: {
    mutate: ['packages/sandbox/src/domain/*.ts', 'packages/sandbox/src/control/limits.ts'],
    tests: sandbox(
      'checkout',
      'control',
      'createSandbox',
      'documents',
      'identity',
      'offers',
      'seed',
      'snapshots',
      'subscriptions',
      'switches',
      'interface/section2',
      'interface/section4',
      'interface/section5',
      'interface/sections7and8',
    ),
  },
} satisfies Record<string, Module>
