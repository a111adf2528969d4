import { createContext, type ReactElement, type ReactNode, useContext } from 'react'
import type { SharedOptions, SurfaceOptions } from './options.ts'
import { type Options, splitProps, withDefaults } from './props.ts'

const Defaults = createContext<Options>({})

export type PurchaseWidgetProviderProps = SharedOptions &
  Pick<SurfaceOptions, 'preload'> & { children?: ReactNode }

/**
 * Options for every widget below: usually the token source, the locale and the theme.
 *
 * A component's own options win: a token source replaces the provider's as a whole, `params` and `strings` name by name.
 */
export function PurchaseWidgetProvider({ children, ...props }: PurchaseWidgetProviderProps): ReactElement {
  const options = useWithDefaults(splitProps(props).options)
  return <Defaults.Provider value={options}>{children}</Defaults.Provider>
}

/** Options over those of the providers above. */
export const useWithDefaults = (options: Options): Options => withDefaults(useContext(Defaults), options)
