/**
 * Guilloche: the interlaced lines on banknotes. Products have no pictures here, so each gets its own rosette, generated
 * from its id.
 */
import type { JSX } from 'preact'
import { useId, useMemo } from 'preact/hooks'

interface RosetteProps {
  seed: string
  class?: string
}

/** A product's mark. Purely decorative: the text contains the same information. */
export function Rosette({ seed, class: className = '' }: RosetteProps): JSX.Element {
  const bands = useMemo(() => guilloche(seed), [seed])
  const id = useId()
  return (
    <svg class={`rosette ${className}`} viewBox="-100 -100 200 200" aria-hidden="true" focusable="false">
      {bands.map(({ path, strands, turn }, index) => {
        const name = `${id}-${index}`
        return (
          <g key={name}>
            <path id={name} d={path} />
            {Array.from({ length: strands - 1 }, (_, strand) => (
              <use
                key={turn * strand}
                href={`#${name}`}
                transform={`rotate(${(turn * (strand + 1)).toFixed(2)})`}
              />
            ))}
          </g>
        )
      })}
    </svg>
  )
}

/** A closed wave around a circle; `strands` evenly rotated copies form one band. */
interface Band {
  path: string
  strands: number
  /** Degrees between two neighbouring strands. */
  turn: number
}

const steps = 180

/** Three bands, from the rim (radius 96) inwards. The same seed always gives the same drawing. */
function guilloche(seed: string): Band[] {
  const random = randomFrom(seed)
  return [80, 54, 28].map((radius) => {
    const lobes = 6 + Math.floor(random() * 9)
    const swing = 11 + random() * 5
    const ripple = 1 + random() * 2.5
    return band(radius, lobes, swing, ripple)
  })
}

function band(radius: number, lobes: number, swing: number, ripple: number): Band {
  const points = Array.from({ length: steps }, (_, step) => {
    const angle = (step / steps) * 2 * Math.PI
    const reach = radius + swing * Math.sin(lobes * angle) + ripple * Math.sin(3 * lobes * angle)
    return `${(reach * Math.cos(angle)).toFixed(1)} ${(reach * Math.sin(angle)).toFixed(1)}`
  })
  const strands = 6
  return { path: `M${points.join('L')}Z`, strands, turn: 360 / (lobes * strands) }
}

/** A generator of numbers in 0–1, determined by the seed (FNV-1a, then xorshift). */
function randomFrom(seed: string): () => number {
  let state = 0x811c9dc5
  for (const character of seed) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}
