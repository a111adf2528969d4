// Promise: react/reload
/** A component that is mounted while another has a purchase open on the same page: nothing was reloaded, and nothing is resumed. */
import { PurchaseButton, usePurchaseWidget } from '@purchase-widget/react'
import { act, cleanup, render, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { companionPath } from '../addresses.ts'
import { eventually, frames, settle } from '../measure.ts'
import { bars, buttons, complete, pending, success } from '../reloaded.ts'

// What another file's tests have left in this tab.
beforeEach(() => sessionStorage.clear())

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  sessionStorage.clear()
})

it('a purchase open on this page is reported by its own component alone, and no message covers it', async () => {
  let answer = pending
  const fetchOfPage = window.fetch
  vi.spyOn(window, 'fetch').mockImplementation(async (...given) =>
    `${given[0]}`.includes('/purchases/') ? Response.json(answer) : fetchOfPage(...given),
  )
  const [onResult, onOtherResult] = [vi.fn(), vi.fn()]
  const { result } = renderHook(() => usePurchaseWidget({ companion: companionPath, onResult }))
  act(() => void result.current.open())
  await eventually(() => expect(result.current.state.status).toBe('loaded'))
  render(<PurchaseButton companion={companionPath} onResult={onOtherResult} />)
  await settle()
  await settle()
  expect(bars()).toBe(0)
  expect(buttons()).toEqual(['idle'])
  expect(frames()).toHaveLength(1)
  answer = complete
  act(() => result.current.close())
  await eventually(() => expect(onResult.mock.calls).toEqual([[success]]))
  await settle()
  expect(onOtherResult).not.toHaveBeenCalled()
})
