/** The shop's page as HTML, drawn by the same code that the browser runs. */
import { join } from 'node:path'
import { dist } from './assets.ts'

/** Takes the whole address of the page. */
export type Draw = (address: string) => string

/** The build has made it from web/shop/draw.tsx, which this file cannot import: it is not for Node as it stands. */
export async function loadDrawing(): Promise<Draw> {
  const made: { draw: Draw } = await import(join(dist, 'server', 'draw.js'))
  return made.draw
}
