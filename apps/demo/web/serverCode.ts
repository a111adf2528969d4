/** The text of the shop's companion, which the page shows and does not run. */
export { default as serverCode } from '../server/companion.ts?raw'
