/**
 * What survives a reload: the visit's id, and the e-mail as typed. Never card data, never the access token.
 *
 * It is kept in `history.state`, not in `sessionStorage`: that belongs to this one frame or tab (two widgets side by side never
 * mix), works where third-party storage is blocked, and lets a fresh launch be told from a reload.
 */
export interface VisitMemory {
  checkoutId: string
  email: string
  /** The person was sent on to the return address once; coming back must not send them away again. */
  left: boolean
}

export function recallVisit(): VisitMemory | null {
  const state: unknown = history.state
  return isVisitMemory(state) ? state : null
}

/** Remembers the visit, and takes the token out of the address: from here on the checkout's id is enough. */
export function rememberVisit(memory: VisitMemory): void {
  const address = new URL(location.href)
  address.searchParams.delete('accessToken')
  history.replaceState(memory, '', address)
}

/** Changes a part of what is remembered. */
export function updateVisit(change: Partial<VisitMemory>): void {
  const memory = recallVisit()
  if (memory) rememberVisit({ ...memory, ...change })
}

function isVisitMemory(state: unknown): state is VisitMemory {
  return typeof state === 'object' && state !== null && 'checkoutId' in state
}
