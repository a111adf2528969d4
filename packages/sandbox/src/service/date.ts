/** Dates whose format the interface does not show (U5). */
import { z } from 'zod'
import type { Switches } from '../simulation/switches.ts'

export type WireDate = string | number

export const wireDateSchema: z.ZodType<WireDate> = z
  .union([z.string(), z.number()])
  .meta({ id: 'Date', description: 'ISO 8601; seconds or milliseconds since 1970 by the switch dateFormat.' })

export function writeDate(switches: Switches, milliseconds: number): WireDate {
  switch (switches.dateFormat) {
    case 'iso':
      return new Date(milliseconds).toISOString()
    case 'epochSeconds':
      return Math.floor(milliseconds / 1000)
    case 'epochMilliseconds':
      return milliseconds
    case 'unrecognized':
      return `day ${Math.floor(milliseconds / 86_400_000)}`
  }
}
