/** Options as the loader uses them: validated, complete, with absolute addresses. */
import { english } from './english.ts'
import { nullProto, pageOf } from './names.ts'
import type { Confirm, MessageSignal, Mode, RedirectPage, WidgetBehaviour, WidgetStrings } from './types.ts'

export interface Settings {
  /** Absolute. */
  readonly companion?: string
  readonly pageToken?: boolean
  readonly widgetOrigin?: string
  readonly headers?: HeadersOption
  readonly widgetUrl?: string
  readonly accessToken?: string | (() => string | Promise<string>)
  readonly launchUrl?: string
  readonly confirm?: Confirm
  readonly mode: Mode
  readonly container?: Element | string
  readonly redirectPage: RedirectPage
  readonly whenBlocked: NonNullable<WidgetBehaviour['whenBlocked']>
  /** What the page requests; return addresses in it are absolute. */
  readonly params: Readonly<Record<string, string>>
  readonly preload: NonNullable<WidgetBehaviour['preload']>
  readonly loadTimeout: number
  readonly popup?: { readonly width?: number; readonly height?: number }
  readonly strings: WidgetStrings
  readonly locale?: string
  /** Language of `strings`. */
  readonly lang: string
  readonly theme: NonNullable<WidgetBehaviour['theme']>
  readonly permissions: readonly string[]
  readonly frameSandbox?: string
  /** Origins that a return address may have. */
  readonly allowedOrigins: readonly string[]
  /** Origins whose pages may report that the shopper has returned. */
  readonly returnOrigins: readonly string[]
  readonly plainHttpHosts?: readonly string[]
  readonly interpretMessage?: (data: unknown) => MessageSignal | null | undefined
}

type HeadersOption = Record<string, string> | (() => Record<string, string> | Promise<Record<string, string>>)

/** The appearance of the loader's own notices: texts, language and colour scheme. */
export type Appearance = Pick<Settings, 'strings' | 'lang' | 'theme'>

/** What is given: values that are undefined or null count as missing. */
export const givenIn = <Options extends object>(options: Options): Partial<Options> =>
  nullProto(
    Object.fromEntries(Object.entries(options).filter(([, value]) => value != null)) as Partial<Options>,
  )

export function appearanceOf({
  title,
  locale,
  strings,
  theme = 'system',
}: Pick<WidgetBehaviour, 'title' | 'locale' | 'strings' | 'theme'>): Appearance {
  const lang = globalThis.document && pageOf().documentElement.lang
  return {
    theme,
    strings: nullProto({ ...english, ...(title && { title }), ...givenIn(strings ?? {}) }),
    // English text is never marked as another language.
    lang: (strings && (locale || lang)) || 'en',
  }
}
