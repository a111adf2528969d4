/** Dates whose format the interface does not show (U5). */
import { z } from 'zod'
import type { Switches } from '../simulation/switches.ts'

export type WireDate = string | number

export const wireDateSchema: z.ZodType<WireDate> = z
  .union([z.string(), z.number()])
  .meta({ id: 'Date', description: 'ISO 8601; seconds or milliseconds since 1970 by the switch dateFormat.' })

const formats: Record<Switches['dateFormat'], (milliseconds: number) => WireDate> = {
  iso: (milliseconds) => new Date(milliseconds).toISOString(),
  epochSeconds: (milliseconds) => Math.floor(milliseconds / 1000),
  epochMilliseconds: (milliseconds) => milliseconds,
  unrecognized: (milliseconds) => `day ${Math.floor(milliseconds / 86_400_000)}`,
}

export const writeDate = ({ dateFormat }: Switches, milliseconds: number): WireDate =>
  formats[dateFormat](milliseconds)
