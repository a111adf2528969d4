import { createContext, type ReactElement, type ReactNode, useContext } from 'react'
import type { SharedOptions } from './options.ts'
import { type Props, withDefaults } from './props.ts'

const Defaults = createContext<Props>({})

export type PurchaseWidgetProviderProps = SharedOptions & { children?: ReactNode }

/**
 * Options for every widget below: usually the token source, the locale and the theme.
 *
 * A component's own options win: a token source replaces the provider's as a whole, `params` and `strings` name by name.
 */
export function PurchaseWidgetProvider({ children, ...props }: PurchaseWidgetProviderProps): ReactElement {
  return <Defaults.Provider value={useDefaults(props)}>{children}</Defaults.Provider>
}

/** Props over those of the providers above. */
export const useDefaults = (props: Props): Props => withDefaults(useContext(Defaults), props)
