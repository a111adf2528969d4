/**
 * The actions that a scenario can perform in a browser, independent of the engine.
 *
 * Two implementations: `playwright/` for Chromium and Firefox, `webdriver/` for WebKit. Clicks and keys are real input
 * events, popup blocking is on, and every shopper has a fresh profile.
 *
 * Reading or running something in a page renews its user activation in Chromium and Firefox, because Playwright does both
 * with a user gesture. A scenario about a window that opens after a wait therefore watches `tabs()`, `url()` and the
 * merchant's server during the wait, and reads the page afterwards.
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
  /** Emulates a high-contrast system theme. In Chromium only. */
  forcedColors?: boolean
}

/** One person with their own browser profile. */
export interface Shopper {
  readonly engine: EngineName
  /** All open tabs and windows; the same object for the same window. */
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
  /** Reloads the page, and waits until its scripts have run. */
  reload(): Promise<void>
  /**
   * Kills the page's process without notice, then reloads the page, as a browser does when memory is low. Afterwards the page can
   * only be observed on the merchant's server. Returns false where the driver does not support it: only Chromium does.
   */
  kill(): Promise<boolean>
  /**
   * Like `forward`, waits for nothing. Do not read the page until it has reported that it is shown: if it enters WebKit's back/forward
   * cache meanwhile, neither that response nor any later one arrives.
   */
  back(): Promise<void>
  forward(): Promise<void>
  /** Brings it to the front: Firefox loses input typed into a background tab. */
  toFront(): Promise<void>
  /** Does nothing when the window is already closed. */
  close(): Promise<void>
  /** A PNG of the visible page; null in WebKit, whose driver may wait for a repaint that never happens. */
  screenshot(): Promise<Buffer | null>
}

/** Locates an element as a person would; `css` where a person could not. */
export type Target =
  /** A button whose name starts with this. */
  | { button: string }
  /** A link whose name starts with this. */
  | { link: string }
  /** A form control with this label. */
  | { label: string }
  /** A radio button, in the group of this name. */
  | { radio: string; group: string }
  | { css: string }

/** A document: a page or the content of a frame. Elements in open shadow roots are found too. */
export interface View {
  /** Waits until the target can be clicked, then clicks it with the mouse. */
  click(target: Target): Promise<void>
  /** Waits for the field, then replaces its text in one step. */
  fill(target: Target, text: string): Promise<void>
  /** Presses a key. The focus must be in this document. */
  press(key: Key): Promise<void>
  /** Types text. The focus must be in this document. */
  type(text: string): Promise<void>
  /** The target's text, or null when it does not exist (or the whole document is gone). */
  text(target: Target): Promise<string | null>
  /** An attribute of the target, or null when either does not exist. */
  attribute(target: Target, name: string): Promise<string | null>
  /** Counts the elements that match a selector. */
  count(css: string): Promise<number>
  /** Runs a function in the page; it must not use its outer scope. */
  evaluate<Result, Argument extends Json = null>(
    run: (argument: Argument) => Result | Promise<Result>,
    argument?: Argument,
  ): Promise<Result>
  /** Runs a classic script in the page, regardless of the page's policy. */
  runScript(source: string): Promise<void>
}

export type Key = 'Tab' | 'Shift+Tab' | 'Enter' | 'Escape' | 'Space'

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
