/** The source text of the shop's companion, which the page shows but does not run. */
export { default as serverCode } from '../server/companion.ts?raw'
