/** Options as the loader uses them: validated, complete, with absolute addresses. */
import { english } from './english.ts'
import { nullProto, pageOf } from './names.ts'
import type { SourceOptions, WidgetBehaviour, WidgetStrings } from './types.ts'

type Given<Name extends keyof WidgetBehaviour> = Readonly<Pick<WidgetBehaviour, Name>>

type Optional = 'container' | 'popup' | 'locale' | 'frameSandbox' | 'plainHttpHosts' | 'interpretMessage'
type Complete = 'mode' | 'redirectPage' | 'whenBlocked' | 'preload' | 'loadTimeout' | 'theme' | 'permissions'

export interface Settings
  extends Readonly<Partial<SourceOptions>>,
    Given<Optional>,
    Required<Given<Complete>> {
  /** What the page requests; return addresses in it are absolute. */
  readonly params: Readonly<Record<string, string>>
  readonly strings: WidgetStrings
  /** Language of `strings`. */
  readonly lang: string
  /** Origins that a return address may have. */
  readonly allowedOrigins: readonly string[]
  /** Origins whose pages may report that the shopper has returned. */
  readonly returnOrigins: readonly string[]
}

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
