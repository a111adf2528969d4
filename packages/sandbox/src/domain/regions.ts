/** Countries (ISO 3166-1 alpha-3) and US states (ISO 3166-2:US): the lists that the interface does not show (U15). */
import { iso31661, iso31662 } from 'iso-3166'

const countries: ReadonlySet<string> = new Set(iso31661.map((country) => country.alpha3))
/** The 50 states, the District of Columbia and the outlying areas. */
const usStates: ReadonlySet<string> = new Set(
  iso31662.filter(({ parent }) => parent === 'US').map(({ code }) => code.slice('US-'.length)),
)
/** The other reading of U15: a service that serves three countries and four states. */
const shortLists = { countries: new Set(['CAN', 'GBR', 'USA']), usStates: new Set(['CA', 'FL', 'NY', 'TX']) }

export type RegionLists = 'iso' | 'short'

export const isCountry = (code: string, lists: RegionLists): boolean =>
  (lists === 'iso' ? countries : shortLists.countries).has(code)

export const isUsState = (code: string, lists: RegionLists): boolean =>
  (lists === 'iso' ? usStates : shortLists.usStates).has(code)
