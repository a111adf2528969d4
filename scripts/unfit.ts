/** What must not be in a published package: tests, maps that lead nowhere, secrets. */

/** The files of a package: their paths in it, and their texts. */
export type Files = ReadonlyMap<string, string>

export function unfitFiles(files: Files): string[] {
  return [...files].flatMap(([path, text]) => [
    ...(isOfTests(path) ? [`${path} is of the tests`] : []),
    ...(path.endsWith('.map') ? mapComplaints(path, text) : namedMapComplaints(path, text, files)),
    ...secretsIn(path, text),
  ])
}

const isOfTests = (path: string): boolean =>
  /(^|\/)(tests?|__tests__|__mocks__|fixtures)\//.test(path) ||
  /\.(test|spec|suite|bench)(-d)?\.[cm]?[jt]sx?$/.test(path)

function mapComplaints(path: string, text: string): string[] {
  const { sources = [], sourcesContent = [] } = JSON.parse(text) as {
    sources?: unknown[]
    sourcesContent?: unknown[]
  }
  const lacks = sources.some((_, index) => typeof sourcesContent[index] !== 'string')
  return lacks ? [`${path} is a map without its sources`] : []
}

function namedMapComplaints(path: string, text: string, files: Files): string[] {
  const named = /\/[/*][#@] sourceMappingURL=([^\s*]+)/.exec(text)?.[1]
  if (named === undefined || named.startsWith('data:') || !/\.(js|css|ts)$/.test(path)) return []
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  return files.has(folder + named) ? [] : [`${path} names ${named}, which is not in the package`]
}

/** The forms of keys that can be told from other text. */
const secrets = {
  'a private key': /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/,
  'a token of npm': /\bnpm_[A-Za-z0-9]{36}\b/,
  'a token of GitHub': /\bgh[pousr]_[A-Za-z0-9]{36}|\bgithub_pat_\w{60,}/,
  'a key of AWS': /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  'a key of Google': /\bAIza[\w-]{35}\b/,
  'a key of Stripe': /\b[rs]k_live_[A-Za-z0-9]{20,}/,
  'a token of Slack': /\bxox[abprs]-[A-Za-z0-9-]{10,}/,
  'a token in an address of a registry': /\/\/[^\s:]+\/:_(?:authToken|password)=/,
  'a value of a secret variable': /\bPURCHASE_(?:API|SECRET)_KEY\s*=\s*['"]?[\w-]{16,}/,
} as const satisfies Record<string, RegExp>

function secretsIn(path: string, text: string): string[] {
  const byName = /(^|\/)(\.env(\..+)?|\.npmrc|id_[a-z0-9]+|.*\.(pem|key|p12|sqlite))$/.test(path)
  const found = Object.entries(secrets).filter(([, form]) => form.test(text))
  return [
    ...(byName ? [`${path} is a file for secrets or data`] : []),
    ...found.map(([what]) => `${path} holds ${what}`),
  ]
}
