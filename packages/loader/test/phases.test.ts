// Promise: known/phases
import { expect, test } from 'vitest'
import {
  CONFIRMING,
  DETACHED,
  endsPurchase,
  interpretLoss,
  LOADED,
  LOADING,
  OPENING,
  type Phase,
  pauseOf,
  READY,
  statusOf,
} from '../src/outcome/phases.ts'

const phases: readonly Phase[] = [OPENING, LOADING, LOADED, READY, DETACHED, CONFIRMING]

test('phase values increase in the order of a purchase', () => {
  expect([...phases].sort()).toEqual(phases)
})

test('each phase has its status', () => {
  expect(phases.map((phase) => statusOf[phase])).toEqual([
    'opening',
    'loading',
    'loaded',
    'ready',
    'detached',
    'confirming',
  ])
})

test('a window lost while it loads the widget may be open under COOP; any other lost window was closed', () => {
  expect(phases.map((phase) => interpretLoss(phase, false))).toEqual([
    'left',
    'detached',
    'left',
    'left',
    'nothing',
    'nothing',
  ])
})

test('a lost frame was removed', () => {
  expect(phases.map((phase) => interpretLoss(phase, true)).slice(0, 4)).toEqual([
    'left',
    'left',
    'left',
    'left',
  ])
})

test('while the widget is open, only a complete order ends the purchase', () => {
  for (const phase of phases)
    for (const redirectPage of ['self', 'new'] as const) {
      const ends = (status: 'none' | 'pending' | 'complete' | 'failed') =>
        endsPurchase(status, { phase, redirectPage, returned: false })
      expect([ends('none'), ends('pending'), ends('complete'), ends('failed')]).toEqual([
        false,
        false,
        true,
        false,
      ])
    }
})

test('after a return, a failed order ends the purchase only where this page cannot see the return page itself', () => {
  const ends = (phase: Phase, redirectPage: 'self' | 'new') =>
    endsPurchase('failed', { phase, redirectPage, returned: true })
  expect(ends(LOADED, 'self')).toBe(false)
  expect(ends(LOADED, 'new')).toBe(true)
  expect(ends(DETACHED, 'self')).toBe(true)
})

test('a pending or unknown order does not end the purchase, even after a return', () => {
  for (const status of ['none', 'pending'] as const)
    expect(endsPurchase(status, { phase: DETACHED, redirectPage: 'new', returned: true })).toBe(false)
})

test('the page checks an open widget after 15, 30 and then every 60 s; a detached one more often', () => {
  expect([0, 1, 2, 3].map((turn) => pauseOf(turn, false))).toEqual([15_000, 15_000, 60_000, 60_000])
  expect([0, 1, 2, 3, 4, 5, 99].map((turn) => pauseOf(turn, true))).toEqual([
    1_000, 2_000, 4_000, 8_000, 16_000, 16_000, 16_000,
  ])
})
