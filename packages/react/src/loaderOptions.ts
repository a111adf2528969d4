import type { PurchaseWidgetOptions } from '@purchase-widget/loader'
import type { Container } from './options.ts'
import type { Options } from './props.ts'

/** Options as the loader takes them: refs resolved, and functions that call those of the newest render. */
export function loaderOptions(options: Options, newest: () => Options): PurchaseWidgetOptions {
  const { container, accessToken, confirm, interpretMessage, ...rest } = options
  const element = elementOf(container)
  const complete = {
    ...rest,
    ...(element && { container: element }),
    ...(accessToken && { accessToken: freshToken(accessToken, newest) }),
    ...(confirm && { confirm: (hint: Parameters<typeof confirm>[0]) => (newest().confirm ?? confirm)(hint) }),
    ...(interpretMessage && {
      interpretMessage: (data: unknown) => (newest().interpretMessage ?? interpretMessage)(data),
    }),
  }
  // The loader itself checks that there is exactly one token source, and says what to do when there is not.
  return complete as PurchaseWidgetOptions
}

const elementOf = (container: Container | undefined): Element | string | null | undefined =>
  typeof container === 'object' && 'current' in container ? container.current : container

type AccessToken = NonNullable<Options['accessToken']>

function freshToken(accessToken: AccessToken, newest: () => Options): AccessToken {
  if (typeof accessToken === 'string') return accessToken
  return () => {
    const now = newest().accessToken
    return typeof now === 'function' ? now() : accessToken()
  }
}
