/** Looks at the merchant's own mount from outside: first whether a companion answers there, then what it answers. */
import { sameAddress } from './address.ts'
import { type Checkup, failed, note, ok } from './checkup.ts'
import { isPurchaseAnswer, purchaseFrom, readOwnPage, readForeignPage, FOREIGN_PAGE } from './launchRoute.ts'
import { type Answered, ask, isAnswered, type Mount, read, type Seen } from './mount.ts'
import { isReturnPage, readReturnPage, returnPath } from './returnRoute.ts'

export async function checkCompanion(mount: Mount): Promise<Checkup[]> {
  const page = mount.pageOrigin ?? URL.parse(mount.url)?.origin ?? ''
  const [foreignPage, ownPage, returned, script] = await Promise.all([
    ask(mount, 'companion', '/launch', purchaseFrom(FOREIGN_PAGE)),
    ask(mount, 'own page', '/launch', purchaseFrom(page)),
    ask(mount, 'return page', returnPath),
    ask(mount, 'script file', '/purchase-widget.js'),
  ])
  const isThere = [foreignPage, ownPage].some(isPurchaseAnswer) || isReturnPage(returned)
  if (!isThere) return [noCompanion(mount, [foreignPage, ownPage, returned, script])]
  const address = sameAddress(mount, returned)
  // Without a name the page is taken to be where the companion is, which is then not where it believes to be.
  const knowsPage = address.length === 0 || mount.pageOrigin !== undefined
  return [
    ...address,
    read(foreignPage, readForeignPage),
    ...(knowsPage ? [read(ownPage, readOwnPage(mount, page))] : []),
    read(returned, readReturnPage(page)),
    read(script, readScript),
  ]
}

/** One row for all that was asked: nothing that is said there is about a companion. */
function noCompanion({ url }: Mount, all: [Seen, ...Seen[]]): Checkup {
  const seen = all.find(isAnswered) ?? all[0]
  return read({ ...seen, subject: { ...seen.subject, name: 'companion' } }, ({ subject, status }) =>
    failed(subject, status, `no companion answers at ${url} (status ${status})`, {
      remedy: 'mount it there, or give --companion its address',
    }),
  )
}

function readScript({ subject, status, headers }: Answered): Checkup {
  const isScript = /javascript/.test(headers.get('content-type') ?? '')
  return status === 200 && isScript
    ? ok(subject, 'served')
    : note(subject, `answers ${status}: serve purchase-widget.js of @purchase-widget/loader yourself`)
}
