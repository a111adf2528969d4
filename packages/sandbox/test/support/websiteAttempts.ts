/** Requests that a website can make a browser send to localhost: one row for each attempt. */
import type { OutgoingHttpHeaders } from 'node:http'

/** A browser's Fetch Metadata headers for a request. */
export const metadata = (site: string, mode: string, dest: string): OutgoingHttpHeaders => ({
  'Sec-Fetch-Site': site,
  'Sec-Fetch-Mode': mode,
  'Sec-Fetch-Dest': dest,
})
export const crossSite = (mode: string, dest: string): OutgoingHttpHeaders =>
  metadata('cross-site', mode, dest)

export const evil = { Origin: 'https://evil.example' }
export const plain = { 'Content-Type': 'text/plain' }
export const form = { 'Content-Type': 'application/x-www-form-urlencoded' }

/** One attempt; with a method, every address is tried with that method. */
type Attempt = [name: string, headers: (host: string) => OutgoingHttpHeaders, method?: string]

/** All attempts that a website can make; `host` is the sandbox's own. */
export const attempts: Attempt[] = [
  ['fetch', () => ({ ...evil, ...crossSite('cors', 'empty') })],
  ['simple GET of an old browser', () => evil, 'GET'],
  ['preflight', () => ({ ...evil, 'Access-Control-Request-Method': 'PATCH' }), 'OPTIONS'],
  [
    'preflight of a private network',
    () => ({ ...evil, 'Access-Control-Request-Private-Network': 'true' }),
    'OPTIONS',
  ],
  [
    'no-cors POST of text, or a beacon',
    () => ({ ...evil, ...plain, ...crossSite('no-cors', 'empty') }),
    'POST',
  ],
  ['no-cors GET', () => crossSite('no-cors', 'empty'), 'GET'],
  ['no-cors GET that names a document', () => crossSite('no-cors', 'document'), 'GET'],
  ['HEAD', () => crossSite('no-cors', 'empty'), 'HEAD'],
  ['form', () => ({ ...evil, ...form, ...crossSite('navigate', 'document') }), 'POST'],
  ['form of text', () => ({ ...evil, ...plain, ...crossSite('navigate', 'document') }), 'POST'],
  ['form into a frame', () => ({ ...evil, ...form, ...crossSite('navigate', 'iframe') }), 'POST'],
  ['form without an Origin', () => ({ ...form, ...crossSite('navigate', 'document') }), 'POST'],
  [
    'form without a referrer',
    () => ({ Origin: 'null', ...form, ...crossSite('navigate', 'document') }),
    'POST',
  ],
  ['form by GET into a frame', () => crossSite('navigate', 'iframe'), 'GET'],
  ['sandboxed frame', () => ({ Origin: 'null', ...crossSite('cors', 'empty') })],
  ['file on the disk', () => ({ Origin: 'null' })],
  ['browser extension', () => ({ Origin: 'chrome-extension://abcdefghijklmnop' })],
  ...['image', 'script', 'style', 'font', 'audio', 'video', 'track', 'manifest', 'worker', 'json'].map(
    (dest): Attempt => [dest, () => crossSite('no-cors', dest), 'GET'],
  ),
  ...['iframe', 'frame', 'object', 'embed'].map(
    (dest): Attempt => [dest, () => crossSite('navigate', dest), 'GET'],
  ),
  ['module script', () => ({ ...evil, ...crossSite('cors', 'script') }), 'GET'],
  ['event source', () => ({ ...evil, ...crossSite('cors', 'empty'), Accept: 'text/event-stream' }), 'GET'],
  ['web socket', () => ({ ...evil, ...crossSite('websocket', 'websocket') }), 'GET'],
  ['prefetch', () => ({ ...crossSite('no-cors', 'empty'), 'Sec-Purpose': 'prefetch' }), 'GET'],
  ['image of another local port', () => metadata('same-site', 'no-cors', 'image'), 'GET'],
  ['frame of another local port', () => metadata('same-site', 'navigate', 'iframe'), 'GET'],
  ['unknown kind of site', () => metadata('cousin-site', 'cors', 'empty')],
  [
    'page of another local port',
    () => ({ Origin: 'http://127.0.0.1:1', ...metadata('same-site', 'cors', 'empty') }),
  ],
  ...Object.entries<(host: string) => string>({
    'page of localhost': (host) => `http://localhost:${host.split(':')[1]}`,
    'page of this host with https': (host) => `https://${host}`,
    'page of this host without its port': () => 'http://127.0.0.1',
    'look-alike: a longer name': (host) => `http://${host}.evil.example`,
    'look-alike: 127.0.0.1 as a subdomain': () => 'http://127.0.0.1.evil.example',
    'look-alike: userinfo': (host) => `http://${host}@evil.example`,
    'look-alike: userinfo before this host': (host) => `http://evil.example@${host}`,
    'look-alike: a path': (host) => `http://evil.example/http://${host}`,
    'look-alike: two origins': (host) => `http://${host}, https://evil.example`,
  }).map(([name, origin]): Attempt => [name, (host) => ({ Origin: origin(host) })]),
  [
    'look-alike: two origins in two headers',
    (host) => ({ Origin: [`http://${host}`, 'https://evil.example'] }),
  ],
  ['empty Origin', () => ({ Origin: '' })],
  ['this Origin with another site', (host) => ({ Origin: `http://${host}`, ...crossSite('cors', 'empty') })],
  ...[
    'evil.example',
    'evil.example:80',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'notlocalhost',
    'localhost.',
    '128.0.0.1',
    '10.0.0.1',
    '0.0.0.0',
    '[::]',
  ].map((Host): Attempt => [`name that points here: ${Host}`, () => ({ Host })]),
  [
    'name that points here, to itself',
    () => ({
      Host: 'evil.example',
      Origin: 'http://evil.example',
      ...metadata('same-origin', 'cors', 'empty'),
    }),
  ],
  [
    'name that points here, with headers of a proxy',
    (host) => ({
      Host: 'evil.example',
      'X-Forwarded-Host': host,
      'X-Forwarded-For': host,
      Forwarded: `host=${host}`,
    }),
  ],
]
