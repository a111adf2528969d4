// Promise: return/parse
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseReturnUrl } from '../src/index.ts'

const redirectUrl = 'https://shop.example/thanks?lang=de'
const failRedirectUrl = 'https://shop.example/sorry'
const addresses = { redirectUrl, failRedirectUrl }

test('the two return addresses are recognised', () => {
  expect(parseReturnUrl(redirectUrl, addresses)).toEqual({ status: 'success', url: redirectUrl })
  expect(parseReturnUrl(failRedirectUrl, addresses)).toEqual({ status: 'failure', url: failRedirectUrl })
})

test('parameters that the service added are read, and removed from the address', () => {
  expect(
    parseReturnUrl(`${redirectUrl}&order_id=o1&custom_id=c%201&type=order_complete#top`, addresses),
  ).toEqual({
    status: 'success',
    url: `${redirectUrl}#top`,
    orderId: 'o1',
    customId: 'c 1',
  })
})

test('the order type takes precedence over the return address', () => {
  expect(
    parseReturnUrl(`${redirectUrl}&type=order_failed&fail_reason=Declined+4004`, addresses),
  ).toMatchObject({
    status: 'failure',
    declineCode: '4004',
  })
})

const declineCodes = ['4000', '4001', '4002', '4003', '4004', '4005', '4010', '4011', '4012', '4013']
test.each(declineCodes)('the decline code %s is read from a reason, as in the table of section 7', (code) => {
  const info = parseReturnUrl(`${failRedirectUrl}?fail_reason=Card+declined+${code}`)
  expect(info?.declineCode).toBe(code)
})

test.each(['4006', '4014', '14004', '40040', ''])('%s in a reason is not a decline code', (code) => {
  expect(parseReturnUrl(`${failRedirectUrl}?fail_reason=Declined+${code}`)).not.toHaveProperty('declineCode')
})

test.each([
  ['a second question mark', `${redirectUrl}?order_id=o1`],
  ['no question mark at all', `${failRedirectUrl}&order_id=o1`],
  ['doubled separators', `${failRedirectUrl}?&&order_id=o1&`],
])('parseReturnUrl() tolerates %s', (_, url) => {
  const info = parseReturnUrl(url, addresses)
  expect(info?.orderId).toBe('o1')
  expect([redirectUrl, failRedirectUrl]).toContain(info?.url)
})

test('a value that cannot be decoded stays as it is', () => {
  expect(parseReturnUrl(`${failRedirectUrl}?order_id=%E0%A4%A`, addresses)).toEqual({
    status: 'failure',
    url: failRedirectUrl,
    orderId: '%E0%A4%A',
  })
})

test("the merchant's own parameters stay, even one named type", () => {
  const url = 'https://shop.example/done?type=gift&a=1&b=%20#x'
  expect(parseReturnUrl(`${url.replace('#', '&order_id=9#')}`)).toEqual({
    status: 'unknown',
    url,
    orderId: '9',
  })
})

test('two return addresses that differ only in the query are distinguished', () => {
  const both = { redirectUrl: 'https://a.example/r', failRedirectUrl: 'https://a.example/r?failed=1' }
  expect(parseReturnUrl('https://a.example/r', both)?.status).toBe('success')
  expect(parseReturnUrl('https://a.example/r?failed=1&order_id=1', both)?.status).toBe('failure')
  expect(parseReturnUrl('https://a.example/r?failed=12&order_id=1', both)?.status).toBe('success')
  const same = { redirectUrl: 'https://a.example/r', failRedirectUrl: 'https://a.example/r' }
  expect(parseReturnUrl('https://a.example/r', same)?.status).toBe('unknown')
})

test("an app's own scheme is recognised, for webviews", () => {
  expect(
    parseReturnUrl('lantern://purchase/done?order_id=o1', { redirectUrl: 'lantern://purchase/done' }),
  ).toEqual({
    status: 'success',
    url: 'lantern://purchase/done',
    orderId: 'o1',
  })
})

test.each([
  'https://shop.example.evil.example/sorry',
  'https://shop.example@evil.example/sorry',
  'https://evil.example/https://shop.example/sorry',
  'https://shop.example/sorry/more',
  'https://shop.example/sorryx',
  'http://shop.example/sorry',
  'https://shop.example&order_id=1@evil.example/sorry',
  'about:blank',
  '',
])('%j is not a return address', (url) => {
  expect(parseReturnUrl(url, addresses)).toBeNull()
})

test('a return address that is a bare origin does not match an address that merely starts with it', () => {
  const bare = { redirectUrl: 'https://shop.example' }
  expect(parseReturnUrl('https://shop.example/', bare)?.status).toBe('success')
  expect(parseReturnUrl('https://shop.example/?order_id=1', bare)?.status).toBe('success')
  for (const url of [
    'https://shop.example.evil.example',
    'https://shop.example@evil.example',
    'https://shop.example&order_id=1@evil.example',
    'https://shop.example:444',
  ])
    expect(parseReturnUrl(url, bare)).toBeNull()
})

const companion = 'https://shop.example/api/purchase-widget'
const purchaseId = 'AbCdEfGhIjKlMnOpQrSt_-'

test.each([
  [`${companion}/return/${purchaseId}`, 'success'],
  [`${companion}/return/${purchaseId}/failed`, 'failure'],
  [`${companion}/return/${purchaseId}?order_id=o1`, 'success'],
  [`${companion}/return/${purchaseId}/failed&order_id=o1`, 'failure'],
  [`${companion}/return/${purchaseId}/failed?type=order_complete`, 'success'],
  [`${companion}/return/${purchaseId}/#top`, 'success'],
] as const)("%s is the companion's return page", (url, status) => {
  expect(parseReturnUrl(url, { companion })).toMatchObject({ status, purchaseId })
  expect(parseReturnUrl(url, { companion: `${companion}/` })).toMatchObject({ status, purchaseId })
  expect(parseReturnUrl(url)).toMatchObject({ status, purchaseId })
})

test.each([
  `https://evil.example/api/purchase-widget/return/${purchaseId}`,
  `https://shop.example/other/return/${purchaseId}`,
  `${companion}/return/short`,
  `${companion}/return/${purchaseId}/failed/more`,
  `${companion}/return/${purchaseId}${purchaseId}`,
  `${companion}?x=/return/${purchaseId}`,
  `${companion}#/return/${purchaseId}`,
  companion,
])("%s is not the companion's return page", (url) => {
  expect(parseReturnUrl(url, { companion })).toBeNull()
})

test("the purchase id in the merchant's own return address is read, and removed", () => {
  expect(parseReturnUrl(`${redirectUrl}&purchase=${purchaseId}&order_id=o1`, addresses)).toEqual({
    status: 'success',
    url: redirectUrl,
    purchaseId,
    orderId: 'o1',
  })
  expect(parseReturnUrl(`https://shop.example/?purchase=${purchaseId}`)).toEqual({
    status: 'unknown',
    url: 'https://shop.example/',
    purchaseId,
  })
})

test("an id in the companion's path takes precedence over one in the query", () => {
  const url = `${companion}/return/${purchaseId}?purchase=${'b'.repeat(22)}`
  expect(parseReturnUrl(url, { companion })).toMatchObject({ status: 'success', purchaseId })
})

test.each(['gift', 'a'.repeat(21), 'a'.repeat(37), `${purchaseId}!`, ''])(
  "the merchant's own parameter named purchase with the value %j stays",
  (value) => {
    const url = `https://shop.example/done?purchase=${value}`
    expect(parseReturnUrl(url)).toEqual({ status: 'unknown', url })
  },
)

test('any text has one of three statuses, and a return keeps the address that it matches', () => {
  const statuses = ['success', 'failure', 'unknown']
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.webUrl({ withQueryParameters: true }), (text, url) => {
      expect(statuses).toContain(parseReturnUrl(text)?.status)
      const info = parseReturnUrl(`${url}${text}`, { redirectUrl: url })
      if (info) expect([info.url.startsWith(url), statuses.includes(info.status)]).toEqual([true, true])
    }),
    { numRuns: 300 },
  )
})

test('a plus sign in an id from the service stays a plus sign', () => {
  expect(parseReturnUrl(`${redirectUrl}&order_id=o%2B1&custom_id=a+b`, addresses)).toEqual({
    status: 'success',
    url: redirectUrl,
    orderId: 'o+1',
    customId: 'a+b',
  })
})

test('the newer of two purchase ids in an address is read, and both are removed', () => {
  const [older, newer] = ['A'.repeat(22), 'B'.repeat(22)]
  expect(parseReturnUrl(`${redirectUrl}&purchase=${older}&purchase=${newer}`, addresses)).toEqual({
    status: 'success',
    url: redirectUrl,
    purchaseId: newer,
  })
})

test.each([
  ['another port', 'https://shop.example:8443/thanks?lang=de'],
  ['a path in capitals', 'https://shop.example/THANKS?lang=de'],
])('an address with %s is not a return address', (_, url) => {
  expect(parseReturnUrl(url, addresses)).toBeNull()
})
