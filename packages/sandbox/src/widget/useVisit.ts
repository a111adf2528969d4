/** The state of one visit, the shopper's actions, and the data that survives a reload. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Answer, Refusal } from './api.ts'
import * as api from './api.ts'
import type { Launch } from './launch.ts'
import { announce } from './messages.ts'
import type { Checkout, PayCheckout, ProveIdentity } from './protocol.ts'

/** One person's visit to this page. */
export type Visit =
  | { status: 'starting' }
  /** No purchase is possible: no token, an expired one, or no server. */
  | { status: 'refused'; refusal: Refusal }
  | { status: 'open'; checkout: Checkout; busy: boolean; refusal: Refusal | null }

export interface VisitActions {
  restart: () => void
  choose: (productId: string) => void
  pay: (payment: PayCheckout) => void
  prove: (identity: ProveIdentity) => void
  cancelSubscription: () => void
}

/** Runs the visit: sends all requests, one after the other. */
export function useVisit(launch: Launch): { visit: Visit; actions: VisitActions } {
  const [visit, setVisit] = useState<Visit>({ status: 'starting' })
  const last = useRef<Promise<unknown>>(Promise.resolve())
  const working = useRef(false)
  const choice = useChoice()

  const restart = (): void => {
    setVisit({ status: 'starting' })
    void begin(launch).then(({ checkout, refusal }) => {
      if (refusal) {
        setVisit({ status: 'refused', refusal })
        return
      }
      announce(checkout, 'ready')
      setVisit({ status: 'open', checkout, busy: false, refusal: null })
      // After a reload during a payment: the payment continues on the server.
      if (isBeingPaid(checkout)) run(checkout, ({ id }) => outcomeOf(id))
    })
  }

  // The launch is parsed from the URL once; it does not change while the page is open.
  // biome-ignore lint/correctness/useExhaustiveDependencies: begins once
  useEffect(restart, [])

  const send = (request: (checkout: Checkout) => Promise<Answer>): void => {
    if (visit.status === 'open') run(visit.checkout, request)
  }

  const run = (before: Checkout, request: (checkout: Checkout) => Promise<Answer>): void => {
    if (working.current) return
    working.current = true
    setVisit({ status: 'open', checkout: before, busy: true, refusal: null })
    last.current = last.current.then(async () => settle(await ask(before, request)))
  }

  const settle = ({ checkout, refusal }: Answer): void => {
    working.current = false
    if (refusal?.reason === 'gone' || refusal?.reason === 'token') setVisit({ status: 'refused', refusal })
    setVisit((now) => {
      if (now.status !== 'open') return now
      return { ...now, busy: false, checkout: checkout ?? now.checkout, refusal: refusal ?? null }
    })
  }

  /** Shows the choice immediately; the person's next action waits until the server has stored it. */
  const choose = (productId: string): void => {
    if (visit.status !== 'open' || working.current) return
    const offer = visit.checkout.offers.find(({ product_id }) => product_id === productId)
    if (!offer) return
    const checkout: Checkout = { ...visit.checkout, offer, step: 'pay', order: null }
    setVisit({ ...visit, checkout, refusal: null })
    last.current = last.current.then(async () => {
      const { refusal } = await choice.store(checkout.id, productId)
      // A payment that waits for this stores the choice again.
      if (refusal && !working.current) settle({ refusal })
    })
  }

  const pay = (payment: PayCheckout): void => {
    updateVisit({ email: payment.email, left: false })
    send((checkout) => choice.pay(checkout, payment))
  }

  return {
    visit,
    actions: {
      restart,
      choose,
      pay,
      prove: (identity) => send(({ id }) => api.proveIdentity(id, identity)),
      cancelSubscription: () => send(({ id }) => api.cancelSubscription(id)),
    },
  }
}

interface Choice {
  store: (id: string, productId: string) => Promise<Answer>
  /** Pays for the product that the page shows: stores it first when the server may have another. */
  pay: (checkout: Checkout, payment: PayCheckout) => Promise<Answer>
}

function useChoice(): Choice {
  /** Whether the answer to the last choice is missing. */
  const doubtful = useRef(false)

  const store = async (id: string, product_id: string): Promise<Answer> => {
    doubtful.current = true
    const answer = await api.chooseOffer(id, { product_id })
    if (answer.checkout) doubtful.current = false
    return answer
  }

  const pay = async ({ id, offer }: Checkout, payment: PayCheckout): Promise<Answer> => {
    const stored = doubtful.current ? await store(id, offer.product_id) : null
    return stored?.refusal ? stored : api.payCheckout(id, payment)
  }

  return { store, pay }
}

/** Resumes this tab's or frame's visit, else starts one with the token. */
async function begin({ accessToken, params }: Launch): Promise<Answer> {
  const memory = recallVisit()
  if (memory && !accessToken) return api.readCheckout(memory.checkoutId)
  if (!accessToken)
    return { refusal: { reason: 'token', message: 'There is no access token in the address.' } }
  const answer = await api.startCheckout({ accessToken, params })
  if (answer.checkout)
    rememberVisit({ checkoutId: answer.checkout.id, email: answer.checkout.email ?? '', left: false })
  return answer
}

/** Sends a request, and notifies the embedding page when the visit is finished. */
async function ask(before: Checkout, request: (checkout: Checkout) => Promise<Answer>): Promise<Answer> {
  const answer = await reconcile(before, await request(before))
  if (answer.checkout?.step === 'complete' && before.step !== 'complete')
    announce(answer.checkout, 'finished')
  return answer
}

/** When no valid response arrived, checks the outcome of the request before the page suggests a retry. */
async function reconcile(before: Checkout, answer: Answer): Promise<Answer> {
  if (answer.refusal?.reason !== 'unanswered') return answer
  const { checkout } = await outcomeOf(before.id)
  return checkout && hasMovedOn(before, checkout) ? { checkout } : answer
}

/** Waits until no payment is running. */
async function outcomeOf(id: string): Promise<Answer> {
  const answer = await api.readCheckout(id)
  if (!answer.checkout || !isBeingPaid(answer.checkout)) return answer
  await new Promise((resolve) => setTimeout(resolve, 500))
  return outcomeOf(id)
}

const isBeingPaid = ({ order }: Checkout): boolean => order?.type === 'payment_started'

function hasMovedOn(before: Checkout, after: Checkout): boolean {
  return (
    before.step !== after.step ||
    before.order?.id !== after.order?.id ||
    // The same order may continue after a decline.
    before.order?.decline !== after.order?.decline ||
    before.subscription?.status !== after.subscription?.status
  )
}

/**
 * The data that survives a reload: the visit's id, and the e-mail as typed. Never card data, never the access token.
 *
 * It is stored in `history.state`, not in `sessionStorage`: that belongs to this one frame or tab (two widgets side by side never
 * mix), works where third-party storage is blocked, and distinguishes a new launch from a reload.
 */
interface VisitMemory {
  checkoutId: string
  email: string
  /** The person was redirected to the return address once, and must not be redirected again after coming back. */
  left: boolean
}

export function recallVisit(): VisitMemory | null {
  const state: unknown = history.state
  return isVisitMemory(state) ? state : null
}

/** Stores the visit, and removes the token from the URL: from now on the checkout's id is enough. */
function rememberVisit(memory: VisitMemory): void {
  const address = new URL(location.href)
  address.searchParams.delete('accessToken')
  history.replaceState(memory, '', address)
}

/** Updates part of the stored data. */
export function updateVisit(change: Partial<VisitMemory>): void {
  const memory = recallVisit()
  if (memory) rememberVisit({ ...memory, ...change })
}

function isVisitMemory(state: unknown): state is VisitMemory {
  return typeof state === 'object' && state !== null && 'checkoutId' in state
}
