/** Whether a window has left the page that it began with. */
export const addressOf = (view: Window | null): string | undefined => {
  try {
    return view?.location.href
  } catch {
    return undefined
  }
}
