/** What is said to the shopper, made of the loader's texts. */
import type { Notice } from './surfaces/surface.ts'
import type { WidgetStrings } from './types.ts'

type Text = Exclude<keyof WidgetStrings, 'declineActions'>

/** A sentence with a button for each way on. */
export const noticeOf = (
  strings: WidgetStrings,
  place: Notice['place'],
  text: Text | undefined,
  ways: Partial<Record<Text, () => void>>,
  busy = false,
): Notice => ({
  place,
  text: text && strings[text],
  busy,
  buttons: Object.entries(ways).map(([label, press]) => ({ label: strings[label as Text], press })),
})
