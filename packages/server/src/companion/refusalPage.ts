/** A refusal for somebody who followed a link: a sentence and the way back, where a script would get JSON. */
import type { Answer } from './answer.ts'
import { escapeHtml, linkTo, pageAnswer } from './page.ts'

/** Whether the answer is for a person's window. */
export const isForWindow = (request: Request): boolean =>
  request.method === 'GET' && (request.headers.get('accept') ?? '').includes('text/html')

/**
 * @param answer the refusal as JSON; its status and headers such as `Retry-After` are kept.
 * @param home the shop's origin, for the way back.
 */
export function refusalPage(answer: Answer, message: string, home: string | undefined): Answer {
  const page = pageAnswer({
    status: answer.status,
    // The merchant's sentence is in a language that we do not know.
    lang: '',
    title: home ?? '…',
    hosts: [],
    body: () => `<main><p>${escapeHtml(message)}</p>${linkTo(home)}</main>`,
  })
  return { ...page, headers: { ...answer.headers, ...page.headers } }
}
