/**
 * What components and hook accept: the loader's options as props, of their own or of a provider above; one callback per event; and attributes
 * of the element.
 */
import {
  type PurchaseWidgetOptions,
  type SourceOptions,
  type TokenSource,
  type WidgetBehaviour,
  type WidgetEventMap,
  type WidgetEventType,
  widgetEvents,
} from '@purchase-widget/loader'
import {
  createContext,
  createElement,
  type HTMLAttributes,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useContext,
} from 'react'

/** No token source here: a `<PurchaseWidgetProvider>` above provides it. */
type SourceFromProvider = { [Name in keyof SourceOptions]?: never }

/** Exactly one token source, or the provider's; and the options with the same meaning in every mode. */
export type SharedOptions = (TokenSource | SourceFromProvider) &
  Omit<WidgetBehaviour, 'mode' | 'container' | 'whenBlocked' | 'popup' | 'preload'>

/** The place of an iframe: an element, a ref to one, or a selector. */
export type Container = Element | string | RefObject<Element | null>

/** Where the widget opens, each mode with the options that apply to it. */
export type SurfaceOptions = Pick<WidgetBehaviour, 'preload'> &
  (
    | {
        mode: 'iframe'
        /** The place of the frame. `<PurchaseWidget>` has one of its own. */
        container: Container
        whenBlocked?: never
        popup?: never
      }
    | ({
        /** Default `modal`. */
        mode?: 'modal' | 'popup' | 'redirect'
        container?: never
      } & Pick<WidgetBehaviour, 'whenBlocked' | 'popup'>)
  )

/** `onLoad` for `load`, and so on. The name of one event consists of two words. */
type CallbackName<Type extends WidgetEventType> = Type extends 'statechange'
  ? 'onStateChange'
  : `on${Capitalize<Type>}`

/** One callback for each of the loader's events. */
type Callbacks = {
  [Type in WidgetEventType as CallbackName<Type>]?: (event: WidgetEventMap[Type]) => void
}

/**
 * One callback for each of the loader's events, called with the event's payload. May be inline: the newest one is called, and nothing
 * remounts.
 */
export interface PurchaseWidgetEvents extends Callbacks {
  /** The purchase is paid. `verified` says whether your server confirms what was sold; deliver from your server. */
  onSuccess?: NonNullable<Callbacks['onSuccess']>
  /** The payment failed; `decline` says why, and what the shopper can do. */
  onFailure?: NonNullable<Callbacks['onFailure']>
  /** Every result, called last: also when the shopper left, or the result is unknown. */
  onResult?: NonNullable<Callbacks['onResult']>
  /** An error occurred. It has a stable `code`, and never contains a token. */
  onError?: NonNullable<Callbacks['onError']>
  /** The shopper is back from the widget; `preventDefault()` keeps the page where it is. */
  onReturn?: NonNullable<Callbacks['onReturn']>
  /** The widget reported that it is usable. Needs `interpretMessage`: a load event proves nothing (M1). */
  onReady?: NonNullable<Callbacks['onReady']>
}

/** The options of `usePurchaseWidget`. */
export type UsePurchaseWidgetOptions = SharedOptions & SurfaceOptions & PurchaseWidgetEvents

/** What a component passes to its element, besides every name with a hyphen. `title` is an option. */
export type ElementAttributes = Pick<
  HTMLAttributes<HTMLElement>,
  'className' | 'style' | 'id' | 'role' | 'tabIndex' | 'lang' | 'dir'
>

/** Options and callbacks after type checking, without the unions: any token source, in any mode. */
export interface Props
  extends Partial<SourceOptions>,
    Omit<WidgetBehaviour, 'container'>,
    PurchaseWidgetEvents {
  container?: Container
}

const ofSource: readonly string[] = [
  'companion',
  'pageToken',
  'widgetOrigin',
  'headers',
  'widgetUrl',
  'accessToken',
  'launchUrl',
  'confirm',
] satisfies (keyof SourceOptions)[]

/** JSX accepts any name with a hyphen, such as `aria-label`, whatever the types say, so such props must work. */
const attribute = /-|^(children|className|style|id|role|tabIndex|lang|dir|disabled)$/

/** The name of an event's callback; TypeScript does not follow how it is written. */
export const callbackName = (type: WidgetEventType): keyof Callbacks =>
  type === 'statechange'
    ? 'onStateChange'
    : (`on${type[0]?.toUpperCase()}${type.slice(1)}` as keyof Callbacks)

const callbackNames: readonly string[] = widgetEvents.map(callbackName)

/** The given props whose name passes; an undefined prop counts as missing. */
const only = (props: object, passes: (name: string) => boolean): object =>
  Object.fromEntries(Object.entries(props).filter(([name, value]) => value !== undefined && passes(name)))

export const attributesOf = (props: object): object => only(props, (name) => attribute.test(name))

const Defaults = createContext<Props>({})

export type PurchaseWidgetProviderProps = SharedOptions & { children?: ReactNode }

/**
 * Options for every widget below it: usually the token source, the locale and the theme.
 *
 * A component's own options take precedence, each as a whole; so does a token source of its own.
 */
export function PurchaseWidgetProvider(props: PurchaseWidgetProviderProps): ReactElement {
  return createElement(Defaults.Provider, { value: useDefaults(props) }, props.children)
}

/** Props, with defaults from the providers above. A token source consists of several props, and overrides theirs as a whole. */
export function useDefaults(props: Props): Props {
  const defaults = useContext(Defaults)
  const hasSource = props.companion || props.widgetUrl
  return {
    ...only(defaults, (name) => !hasSource || !ofSource.includes(name)),
    ...only(props, (name) => !attribute.test(name)),
  }
}

/** The loader's options, with a ref replaced by its element. The types of the props say which options go together. */
export function optionsOf({ container, ...props }: Props): PurchaseWidgetOptions {
  const element = (container as { current?: Element } | undefined)?.current ?? container
  return {
    container: element,
    ...only(props, (name) => !callbackNames.includes(name)),
  } as PurchaseWidgetOptions
}
