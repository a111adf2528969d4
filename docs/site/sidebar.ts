/** What stands in the docs, in the order in which a merchant needs it. */
export const sidebar = [
  {
    text: 'Start',
    items: [
      { text: 'From nothing to a first purchase', link: '/quickstart' },
      { text: 'A script tag', link: '/script-tag' },
      { text: 'React', link: '/react' },
      { text: 'The server', link: '/server' },
      { text: 'Webviews in mobile apps', link: '/webviews' },
      { text: 'The sandbox', link: '/sandbox' },
    ],
  },
  {
    text: 'Guides',
    items: [
      { text: 'Headers', link: '/headers' },
      { text: 'Where the shopper goes', link: '/redirect-page' },
    ],
  },
  {
    text: 'Reference',
    items: [{ text: 'Packages', link: '/api/' }],
  },
  {
    text: 'Background',
    items: [
      { text: 'Security', link: '/security' },
      { text: 'The service’s interface', link: '/interface' },
      { text: 'What we assume', link: '/assumptions' },
      { text: 'What we measured about browsers', link: '/measurements' },
      { text: 'The loader in figures', link: '/loader-evidence' },
      { text: 'Decisions', link: '/decisions/README' },
    ],
  },
]
