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

test('phases rise in the order of a purchase', () => {
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

test('a window that is gone on its way to the widget may be open under COOP; any other was closed', () => {
  expect(phases.map((phase) => interpretLoss(phase, false))).toEqual([
    'left',
    'detached',
    'left',
    'left',
    'nothing',
    'nothing',
  ])
})

test('a frame that is gone was taken away', () => {
  expect(phases.map((phase) => interpretLoss(phase, true)).slice(0, 4)).toEqual([
    'left',
    'left',
    'left',
    'left',
  ])
})

test('while the widget is open a complete purchase ends it, and nothing else', () => {
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

test('a failed purchase ends it once the return page was seen where this page sees it only by its word', () => {
  const ends = (phase: Phase, redirectPage: 'self' | 'new') =>
    endsPurchase('failed', { phase, redirectPage, returned: true })
  expect(ends(LOADED, 'self')).toBe(false)
  expect(ends(LOADED, 'new')).toBe(true)
  expect(ends(DETACHED, 'self')).toBe(true)
})

test('an order that is on its way, or not known yet, ends nothing, also once the return page was seen', () => {
  for (const status of ['none', 'pending'] as const)
    expect(endsPurchase(status, { phase: DETACHED, redirectPage: 'new', returned: true })).toBe(false)
})

test('an open widget is asked about after 15, 30 and then every 60 s; one that is out of sight more often', () => {
  expect([0, 1, 2, 3].map((turn) => pauseOf(turn, false))).toEqual([15_000, 15_000, 60_000, 60_000])
  expect([0, 1, 2, 3, 4, 5, 99].map((turn) => pauseOf(turn, true))).toEqual([
    1_000, 2_000, 4_000, 8_000, 16_000, 16_000, 16_000,
  ])
})
