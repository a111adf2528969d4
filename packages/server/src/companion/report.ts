/** Where a failure goes that nobody else hears of: name and message alone, since a stack or a cause may hold more. */
export function report(error: unknown): void {
  console.error(
    error instanceof Error ? `[purchase-widget] ${error.name}: ${error.message}` : '[purchase-widget]',
  )
}
