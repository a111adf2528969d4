/**
 * `GET /purchase-widget.js`, its second file and its languages: the loader's built script, so that a page needs one line and versions cannot
 * drift. `?dev`: with full messages about mistakes. It contains the widget's origin, so that its first click needs no other request.
 */
import { unlessThrows } from '../../unknown.ts'
import { Refusal } from '../answer.ts'
import type { Handler } from '../context.ts'
import { originOf } from '../place.ts'

/** Short: an old first file names a second one that no longer exists after a deploy. */
const brief = 'public, max-age=300'
const immutable = 'public, max-age=31536000, immutable'

/** The placeholder for the widget's origin in the loader's script: scriptTag.ts of packages/loader. */
const PLACE = '{widget-origin}'

async function serve(name: string, cacheControl = brief, widgetOrigin = ''): Promise<Response> {
  const { readScriptText } = await import('../scriptText.ts')
  const text = await readScriptText(name).catch(() => undefined)
  if (text === undefined) {
    throw new Refusal('not_found', `The script is not here: serve ${name} of @purchase-widget/loader.`)
  }
  return new Response(text.replace(PLACE, widgetOrigin), {
    headers: {
      'cache-control': cacheControl,
      'content-type': 'text/javascript; charset=utf-8',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    },
  })
}

export const script: Handler = (c) => {
  // A companion that cannot start serves the script anyway, and the first click reports what is missing.
  const widgetUrl = unlessThrows(c.get('services'))?.client.widgetUrl ?? ''
  const dev = c.req.query('dev') === undefined ? '' : '.dev'
  return serve(`purchase-widget${dev}.js`, brief, originOf(widgetUrl))
}

export const languageFile: Handler = (c) => serve(c.req.param('file') ?? '')

export const secondFile: Handler = async (c) => {
  const response = await serve(c.req.param('file') ?? '', immutable)
  // Browsers check its hash, which requires that any page may read it.
  response.headers.set('access-control-allow-origin', '*')
  return response
}
