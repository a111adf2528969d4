import { createContext, createElement, type ReactElement, type ReactNode, useContext } from 'react'
import { type Props, type SharedOptions, withDefaults } from './options.ts'

const Defaults = createContext<Props>({})

export type PurchaseWidgetProviderProps = SharedOptions & { children?: ReactNode }

/**
 * Options for every widget below it: usually the token source, the locale and the theme.
 *
 * A component's own options take precedence, each as a whole; so does a token source of its own.
 */
export function PurchaseWidgetProvider(props: PurchaseWidgetProviderProps): ReactElement {
  return createElement(Defaults.Provider, { value: useDefaults(props) }, props.children)
}

/** Props, with defaults from the providers above. */
export const useDefaults = (props: Props): Props => withDefaults(useContext(Defaults), props)
