/** What a merchant deploys to Cloudflare Workers. */
import { createShop } from './shop.mjs'

let companion

export default {
  fetch(request, env, context) {
    companion ??= createShop(env)
    return companion.fetch(request, {
      address: request.headers.get('cf-connecting-ip') ?? undefined,
      waitUntil: (work) => context.waitUntil(work),
    })
  },
}
