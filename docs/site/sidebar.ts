/** The pages of docs/, in the order in which a merchant needs them. */
export const sidebar = [
  {
    text: 'Start',
    items: [
      { text: 'A first purchase', link: '/quickstart' },
      { text: 'What a purchase is', link: '/purchase' },
      { text: 'A script tag', link: '/script-tag' },
      { text: 'React', link: '/react' },
      { text: 'Your server', link: '/server' },
      { text: 'Any language', link: '/any-language' },
      { text: 'Mobile apps', link: '/webviews' },
      { text: 'The sandbox', link: '/sandbox' },
    ],
  },
  {
    text: 'Guides',
    items: [
      { text: 'What opens where', link: '/redirect-page' },
      { text: 'Headers', link: '/headers' },
      { text: 'Subscriptions', link: '/subscriptions' },
      { text: 'Identity and limits', link: '/identity' },
      { text: 'Look and languages', link: '/theming' },
      { text: 'Browsers and accessibility', link: '/browsers' },
      { text: 'Testing in your CI', link: '/testing' },
      { text: 'Deployment', link: '/deployment' },
      { text: 'Other runtimes', link: '/runtimes' },
      { text: 'A store of your own', link: '/stores' },
      { text: 'Capacity', link: '/capacity' },
      { text: 'Going live', link: '/going-live' },
      { text: 'Troubleshooting', link: '/troubleshooting' },
      { text: 'When something fails', link: '/failures' },
      { text: 'Upgrading', link: '/upgrading' },
    ],
  },
  {
    text: 'Reference',
    items: [
      { text: 'Packages', link: '/api/index' },
      { text: 'Errors', link: '/errors' },
    ],
  },
  {
    text: 'Background',
    items: [
      { text: 'Security', link: '/security' },
      { text: 'What the service owns', link: '/service-owns' },
      { text: 'The service’s interface', link: '/interface' },
      { text: 'What we assume', link: '/assumptions' },
      { text: 'Measured in browsers', link: '/measurements' },
      { text: 'Every proof in full', link: '/evidence' },
      { text: 'The loader in figures', link: '/loader-evidence' },
      { text: 'Decisions', link: '/decisions/README' },
    ],
  },
]
