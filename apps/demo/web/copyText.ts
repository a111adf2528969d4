/** Puts text on the clipboard; gives back what to say about it. */
export const copyText = (text: string): Promise<string> =>
  navigator.clipboard.writeText(text).then(
    () => 'Copied',
    () => 'Not allowed here',
  )
