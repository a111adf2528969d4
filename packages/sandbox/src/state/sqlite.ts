/** The SQLite of Node, asked for in a way that lets an old Node say what it lacks: an import of `node:sqlite` would fail before. */
import type { DatabaseSync } from 'node:sqlite'

const sqlite = process.getBuiltinModule?.('node:sqlite')

// The words of bin/sandbox.cjs, for whoever imports the package.
if (!sqlite)
  throw new Error(`The sandbox needs Node 22.13 or newer, and this is Node ${process.versions.node}.`)

export const Sqlite: typeof DatabaseSync = sqlite.DatabaseSync
