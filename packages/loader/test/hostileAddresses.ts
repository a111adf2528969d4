/** Addresses that must never be opened, and good ones that must be. */
import fc from 'fast-check'

export const hostile: readonly string[] = [
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  ' javascript:alert(1)',
  '\tjava\nscript:alert(1)',
  'java\tscript:alert(1)//https://widget.example',
  'data:text/html,<script>alert(1)</script>',
  'blob:https://widget.example/0',
  'vbscript:x',
  'file:///etc/passwd',
  'ftp://widget.example',
  'ws://localhost',
  'about:blank',
  'http://widget.example',
  'http://localhost.evil.example',
  'http://localhost@evil.example',
  'http://127.0.0.1.evil.example',
  'http://127.0.0.1@evil.example',
  'http://evil.example/localhost',
  'http://2130706433',
  'http://0x7f.1',
  'http://[::1].evil.example',
  'http://[::ffff:1.2.3.4]',
  'https://user@widget.example',
  'https://user:password@widget.example',
  'https://widget.example\\@evil.example',
  'https:\\\\evil.example',
  'https:/\\evil.example',
  'https:evil.example',
  'https:/evil.example',
  'https:///evil.example',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  'https://',
  'https://?x',
  'https://#x',
  'https:// widget.example',
  'https://[::1',
  'https://widget.example:99999',
  'https://%00/',
  'https://widget.example\n',
  '',
  ' ',
  'null',
  'undefined',
  '[object Object]',
]

const badScheme = fc
  .tuple(
    fc.constantFrom('', ' ', '\t', '\n', '\u0000', '\u0001'),
    fc.mixedCase(fc.constantFrom('javascript', 'data', 'vbscript', 'blob', 'file', 'ftp', 'about', 'intent')),
    fc.constantFrom(':', '\t:', '\n:'),
    fc.string(),
  )
  .map((parts) => parts.join(''))

const userInfo = fc
  .tuple(fc.constantFrom('https://', 'http://'), fc.stringMatching(/^[\w.:%-]{1,20}$/), fc.domain())
  .map(([scheme, user, host]) => `${scheme}${user}@${host}`)

const plainHttp = fc
  .tuple(fc.domain(), fc.constantFrom('', ':80', '/x', '?localhost', '#localhost', '/localhost'))
  .map(([host, rest]) => `http://${host}${rest}`)

const broken = fc
  .tuple(
    fc.constantFrom('https://', 'https:/', 'https:', '//', '/\\', '\\\\'),
    fc.constantFrom(...'\\ \t\n\r\0@'),
    fc.domain(),
  )
  .map(([start, separator, host]) => `${start}${separator}${host}`)

const noise = fc.string({ unit: 'binary' }).filter((text) => !/^https?:/i.test(text))

/** A listed or generated hostile address. */
export const hostileAddress: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...hostile),
  badScheme,
  userInfo,
  plainHttp,
  broken,
  noise,
)

/** Good addresses: https anywhere, http on loopback. */
export const goodAddress: fc.Arbitrary<string> = fc
  .tuple(
    fc.oneof(
      fc.domain().map((host) => `https://${host}`),
      fc.constantFrom('http://localhost', 'http://127.0.0.1', 'http://[::1]', 'http://shop.localhost'),
    ),
    fc.oneof(
      fc.constant(''),
      fc.integer({ min: 1, max: 65_535 }).map((port) => `:${port}`),
    ),
    fc.constantFrom('', '/', '/base', '/base/', '/a/b.c'),
  )
  .map((parts) => parts.join(''))
