/**
 * What a scenario can do with a browser, whichever engine it is.
 *
 * Two implementations: `playwright/` for Chromium and Firefox, `webdriver/` for WebKit. Clicks and keys are real input
 * events, popup blocking is on, and every shopper has a fresh profile.
 *
 * To read or run something in a page renews its right to open windows in Chromium and Firefox, because Playwright does both
 * with a user gesture. A scenario about a window that opens after a wait therefore watches `tabs()`, `url()` and the
 * merchant's server meanwhile, and looks into the page afterwards.
 */

export const engineNames = ['chromium', 'firefox', 'webkit'] as const
export type EngineName = (typeof engineNames)[number]

/** A running browser. */
export interface Engine {
  readonly name: EngineName
  newShopper(options?: ShopperOptions): Promise<Shopper>
  close(): Promise<void>
}

export interface ShopperOptions {
  /** Size of the window in CSS pixels. Default 1280 × 900. */
  viewport?: { width: number; height: number }
  colorScheme?: 'light' | 'dark'
  /** As a high-contrast theme of the system does. In Chromium alone. */
  forcedColors?: boolean
}

/** One person with a browser profile of their own. */
export interface Shopper {
  readonly engine: EngineName
  /** Every tab and window that is open; the same object for the same window. */
  tabs(): Promise<Tab[]>
  /** Loads a page in the first tab, and waits until its scripts have run. */
  visit(url: string): Promise<Tab>
  close(): Promise<void>
}

/** A tab or a popup window. */
export interface Tab {
  /** The top document. */
  readonly page: View
  /** The document in the first frame that `css` finds. */
  frame(css: string): View
  url(): Promise<string>
  /** Waits until the page is there and its scripts have run. */
  reload(): Promise<void>
  /**
   * Ends the process of the page without a word to it, then loads it anew, as a browser does that was short of memory. Afterwards the page
   * can only be heard on the merchant's server. False where the driver cannot do it: it can in Chromium.
   */
  kill(): Promise<boolean>
  /**
   * Like `forward`, waits for nothing. Until the page itself has said that it shows, it must not be looked into: the answer of a page
   * that goes into WebKit's back/forward cache meanwhile never comes, nor any after it.
   */
  back(): Promise<void>
  forward(): Promise<void>
  /** Puts it before the shopper's other tabs: Firefox loses what is typed into a tab behind another. */
  toFront(): Promise<void>
  /** Does nothing when the window has gone already. */
  close(): Promise<void>
  /** A PNG of what the shopper sees; null in WebKit, whose driver may wait for a repaint that never comes. */
  screenshot(): Promise<Buffer | null>
}

/** How a person would point at something; `css` where a person could not. */
export type Target =
  /** A button whose name begins with this. */
  | { button: string }
  /** A link whose name begins with this. */
  | { link: string }
  /** A form control with this label. */
  | { label: string }
  /** A radio button, in the group of this name. */
  | { radio: string; group: string }
  | { css: string }

/** A document: a page, or what is in a frame. Elements in open shadow roots are found as well. */
export interface View {
  /** Waits until the target can be clicked, then clicks it with the mouse. */
  click(target: Target): Promise<void>
  /** Waits for the field, then puts the text into it at once, in place of what was there. */
  fill(target: Target, text: string): Promise<void>
  /** Presses a key. The focus must be in this document. */
  press(key: Key): Promise<void>
  /** Types text. The focus must be in this document. */
  type(text: string): Promise<void>
  /** The target's text, or null when it is not there (also when the whole document is gone). */
  text(target: Target): Promise<string | null>
  /** An attribute of the target, or null when either is not there. */
  attribute(target: Target, name: string): Promise<string | null>
  /** How many elements a selector finds. */
  count(css: string): Promise<number>
  /** Runs a function in the page; it must not use anything around it. */
  evaluate<Result, Argument extends Json = null>(
    run: (argument: Argument) => Result | Promise<Result>,
    argument?: Argument,
  ): Promise<Result>
  /** Runs a classic script in the page, whatever the page's policy says. */
  runScript(source: string): Promise<void>
}

export type Key = 'Tab' | 'Shift+Tab' | 'Enter' | 'Escape' | 'Space'

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
