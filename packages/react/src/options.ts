/** What components and hook take: the loader's options as props, one callback per event, and attributes of the element. */
import {
  type PurchaseWidgetOptions,
  type TokenSource,
  type WidgetBehaviour,
  type WidgetEventProps,
  widgetEvents,
} from '@purchase-widget/loader'
import type { RefObject } from 'react'

/** No token source here: a `<PurchaseWidgetProvider>` above gives it. */
export type SourceFromProvider = { [Name in keyof TokenSource]?: never }

/** Exactly one token source, or the provider's; and the options that mean the same in every mode. */
export type SharedOptions = (TokenSource | SourceFromProvider) &
  Omit<WidgetBehaviour, 'mode' | 'container' | 'whenBlocked' | 'popup' | 'preload'>

/** Where an iframe goes: an element, a ref to one, or a selector. */
export type Container = Element | string | RefObject<Element | null>

/** Where the widget opens, each with the options that mean something there. */
export type SurfaceOptions = Pick<WidgetBehaviour, 'preload'> &
  (
    | {
        mode: 'iframe'
        /** Where the frame goes. `<PurchaseWidget>` brings its own. */
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

/**
 * Called with what happened: one callback for each of the loader's events. May be inline: the newest is the one that is called, and nothing
 * remounts.
 */
export interface PurchaseWidgetEvents extends WidgetEventProps {
  /** The purchase is paid. `verified` says whether your server confirms what was sold; deliver from your server. */
  onSuccess?: NonNullable<WidgetEventProps['onSuccess']>
  /** The payment failed; `decline` says why, and what the shopper can do. */
  onFailure?: NonNullable<WidgetEventProps['onFailure']>
  /** Every result, last of all: also that the shopper left, or that it is not known. */
  onResult?: NonNullable<WidgetEventProps['onResult']>
  /** Something broke. The error has a stable `code`, and never holds a token. */
  onError?: NonNullable<WidgetEventProps['onError']>
  /** The shopper is back from the widget; `preventDefault()` keeps the page where it is. */
  onReturn?: NonNullable<WidgetEventProps['onReturn']>
  /** The widget said that it can be used. Needs `interpretMessage`: a load event proves nothing (M1). */
  onReady?: NonNullable<WidgetEventProps['onReady']>
}

/** What `usePurchaseWidget` takes. */
export type UsePurchaseWidgetOptions = SharedOptions & SurfaceOptions & PurchaseWidgetEvents

/** Options and callbacks once their unions have done their work: any token source, in any mode. */
export interface Props extends AnySource, Omit<WidgetBehaviour, 'container'>, PurchaseWidgetEvents {
  container?: Container
}

type AnySource = { [Name in keyof TokenSource]?: NonNullable<TokenSource[Name]> }

const ofSource: readonly string[] = [
  'companion',
  'pageToken',
  'widgetOrigin',
  'headers',
  'widgetUrl',
  'accessToken',
  'launchUrl',
  'confirm',
] satisfies (keyof TokenSource)[]

/** JSX lets a name with a hyphen pass, such as `aria-label`, whatever the types say: so it must do what it says. */
const attribute = /-|^(children|className|style|disabled)$/

const callbacks: ReadonlySet<string> = new Set(Object.values(widgetEvents))

/** Those that pass, of the props that were given: an undefined prop is a missing one. */
const only = (props: object, passes: (name: string) => boolean): object =>
  Object.fromEntries(Object.entries(props).filter(([name, value]) => value !== undefined && passes(name)))

export const attributesOf = (props: object): object => only(props, (name) => attribute.test(name))

/** A component's props over a provider's, each as a whole; also the token source, which is several props together. */
export function withDefaults(defaults: Props, props: Props): Props {
  const hasSource = props.companion || props.widgetUrl
  return {
    ...only(defaults, (name) => !hasSource || !ofSource.includes(name)),
    ...only(props, (name) => !attribute.test(name)),
  }
}

/** The loader's options, with the element of a ref in the place of the ref. The types of the props say what goes together. */
export function optionsOf({ container, ...props }: Props): PurchaseWidgetOptions {
  const element = (container as { current?: Element } | undefined)?.current ?? container
  return { container: element, ...only(props, (name) => !callbacks.has(name)) } as PurchaseWidgetOptions
}
