/** The pages of docs/, in the order in which a merchant needs them. */
export const sidebar = [
  {
    text: 'Start',
    items: [
      { text: 'Express', link: '/start-express' },
      { text: 'Next.js', link: '/start-nextjs' },
      { text: 'Vite and Hono', link: '/start-vite-hono' },
      { text: 'Any backend language', link: '/start-any-backend' },
      { text: 'Mobile apps', link: '/start-mobile' },
    ],
  },
  {
    text: 'Guides',
    items: [
      { text: 'Sell', link: '/sell' },
      { text: 'Deliver', link: '/deliver' },
      { text: 'Test', link: '/testing' },
      { text: 'Go live', link: '/go-live' },
    ],
  },
  {
    text: 'Reference',
    items: [
      { text: 'Options, events, results', link: '/options' },
      { text: 'Server', link: '/server' },
      { text: 'Errors', link: '/errors' },
      { text: 'Sandbox', link: '/sandbox' },
      { text: 'The service’s interface', link: '/interface' },
      { text: 'API of the packages', link: '/api/index' },
    ],
  },
  {
    text: 'Trust',
    items: [
      { text: 'Security', link: '/security' },
      { text: 'What the service owns', link: '/service' },
      { text: 'Quality', link: '/quality' },
    ],
  },
  {
    text: 'For contributors',
    items: [
      { text: 'Assumptions', link: '/assumptions' },
      { text: 'Measurements', link: '/measurements' },
      { text: 'Interface coverage', link: '/interface-coverage' },
      { text: 'Decisions', link: '/decisions' },
    ],
  },
]
