// Promise: build/sizes
import { expect, test } from 'vitest'
import { grownOf } from '../sizes.ts'

const build = { name: 'first import', sizeLimit: 1_600 }

test.each([
  ['at its goal', 1_600, {}],
  ['above its goal, but no larger than before', 2_900, { 'first import': 2_900 }],
])('a build %s passes', (_, size, reached) => {
  expect(grownOf([{ ...build, size }], reached)).toEqual([])
})

test.each([
  ['has grown', { 'first import': 2_899 }, '2899 before'],
  ['was never recorded', {}, 'not recorded before'],
])('a build above its goal that %s is named', (_, reached, before) => {
  expect(grownOf([{ ...build, size: 2_900 }], reached)).toEqual([
    `first import: 2900 bytes, ${before}; the goal is 1600.`,
  ])
})
