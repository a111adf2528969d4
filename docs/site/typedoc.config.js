/** The API reference in docs/api: one page for each way into the packages, by the name that a merchant imports. */
import { Converter } from 'typedoc'

const entries = {
  '@purchase-widget/loader': 'loader/src/index.ts',
  '@purchase-widget/loader/url': 'loader/src/entries/url.ts',
  '@purchase-widget/loader/return': 'loader/src/entries/return.ts',
  '@purchase-widget/loader/element': 'loader/src/entries/element.ts',
  '@purchase-widget/react': 'react/src/index.ts',
  '@purchase-widget/server': 'server/src/index.ts',
  '@purchase-widget/server/sqlite': 'server/src/stores/sqlite.ts',
  '@purchase-widget/server/postgres': 'server/src/stores/postgres.ts',
  '@purchase-widget/server/testing': 'server/testing/index.ts',
  '@purchase-widget/sandbox': 'sandbox/src/index.ts',
}

/** TypeDoc names a module by its file. */
const named = ({ converter }) =>
  converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.children) {
      const isModule = ([, path]) => path.replace(/(\/index)?\.ts$/, '') === module.name
      module.name = Object.entries(entries).find(isModule)[0]
    }
  })

export default {
  name: 'Purchase widget',
  entryPoints: Object.values(entries).map((path) => `../../packages/${path}`),
  tsconfig: 'tsconfig.json',
  out: '../api',
  readme: 'none',
  disableSources: true,
  plugin: ['typedoc-plugin-markdown', named],
  router: 'module',
  entryFileName: 'index',
  hideBreadcrumbs: true,
  hidePageHeader: true,
  useCodeBlocks: true,
  expandObjects: true,
  parametersFormat: 'table',
  propertiesFormat: 'table',
  interfacePropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  enumMembersFormat: 'table',
  treatWarningsAsErrors: true,
}
