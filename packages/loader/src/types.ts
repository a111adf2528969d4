/** The public contract of the loader, in one place. */
export type * from './types/options.ts'
export type * from './types/order.ts'
export type * from './types/widget.ts'
