/**
 * Finds the element of a `Target`, through open shadow roots. Runs in the page as a WebDriver script; in Chromium and
 * Firefox, Playwright's own locators do this.
 */
import type { Target } from '../scenarios/driver.ts'

function find(target: Target): Element[] {
  const roots: (Document | ShadowRoot)[] = [document]
  for (const root of roots)
    for (const element of root.querySelectorAll('*')) if (element.shadowRoot) roots.push(element.shadowRoot)
  const all = (css: string): Element[] => roots.flatMap((root) => [...root.querySelectorAll(css)])

  const textOf = (element: Element): string => (element.textContent ?? '').replace(/\s+/g, ' ').trim()
  const nameOf = (element: Element): string =>
    element.getAttribute('aria-label') ??
    (element instanceof HTMLInputElement && element.type === 'submit' ? element.value : textOf(element))
  const begins = (text: string, start: string): boolean => text.toLowerCase().startsWith(start.toLowerCase())
  const visible = (element: Element): boolean => element.getClientRects().length > 0
  const labelled = (elements: Element[], name: string): Element[] =>
    elements.filter(
      (element) =>
        element.getAttribute('aria-label') === name ||
        [...((element as HTMLInputElement).labels ?? [])].some((label) => textOf(label) === name),
    )

  if ('css' in target) return all(target.css)
  if ('button' in target)
    return all('button, [role=button], input[type=submit]').filter(
      (element) => visible(element) && begins(nameOf(element), target.button),
    )
  if ('link' in target)
    return all('a[href]').filter((element) => visible(element) && begins(nameOf(element), target.link))
  if ('label' in target) return labelled(all('input, select, textarea'), target.label)
  const group = all('fieldset, [role=group], [role=radiogroup]').find(
    (element) =>
      element.getAttribute('aria-label') === target.group ||
      [...element.querySelectorAll('legend')].some((legend) => textOf(legend) === target.group),
  )
  return group ? labelled([...group.querySelectorAll('input[type=radio]')], target.radio) : []
}

export const findInPage = `return (${find})(arguments[0])`
