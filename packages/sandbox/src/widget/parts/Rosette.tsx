/** A drawing that is different for each product and order. */
import type { JSX } from 'preact'
import { useId, useMemo } from 'preact/hooks'
import { guilloche } from './guilloche.ts'

interface RosetteProps {
  seed: string
  class?: string
}

/** A product's mark. Decoration only: it says nothing that the text does not. */
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
