/** Who lives outside: each project as its owner would write it from our documents, and what is done with it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeWith } from '../fixtures/documents.ts'
import type { Sale } from './buy.ts'
import type { StepName } from './table.ts'

export interface Project {
  /** A folder of `shared` with files that several projects have; its own come over them. */
  base?: string
  /** How it sells. */
  sale?: Sale
  /** Files that it takes from our documents as they stand, or shares with other projects. */
  files?: Readonly<Record<string, () => string>>
  /** Why a step is not there. */
  without?: Partial<Record<StepName, string>>
  /** Part of `pnpm test`. */
  always?: boolean
}

const shared = (file: string) => (): string => readFileSync(join(import.meta.dirname, 'shared', file), 'utf8')
const codeOf = (document: string, text: string) => (): string => codeWith(document, text)
const readme = (text: string) => codeOf('README.md', text)

const companion = { 'companion.ts': readme('createCompanion') }
const tested = { ...companion, 'companion.test.ts': shared('companion.test.ts') }
const asServer: Pick<Project, 'sale' | 'files' | 'without'> = {
  sale: { click: 'link' },
  files: tested,
  without: { build: 'Node runs it as it is' },
}
const inTypeScript = { ...asServer, base: 'server' }

const untested = { test: 'the purchase is its test' }
const withReact: Pick<Project, 'sale' | 'without'> = { sale: { click: 'button' }, without: untested }
const button = readme('<PurchaseButton')
const app = { 'app/Buy.tsx': button, 'app/companion.ts': readme('createCompanion') }
/** Next.js renders on the server unless a file says that it is the browser's. */
const nextApp = { ...app, 'app/Buy.tsx': () => `'use client'\n\n${button()}` }

const inTestRunner: Project = {
  files: { 'Buy.tsx': button, 'Buy.test.tsx': shared('Buy.test.tsx') },
  without: { build: 'only tests', start: 'only tests', buy: 'only tests' },
}
const onlyTests = { build: 'no shop', start: 'no shop', buy: 'no shop' }

export const projects = {
  plain: { ...inTypeScript, always: true },
  'express-helmet': {
    ...inTypeScript,
    files: { ...tested, 'headers.ts': codeOf('docs/go-live.md', 'helmet({') },
    always: true,
  },
  commonjs: { ...asServer, files: {}, always: true, without: { ...asServer.without, ...untested } },
  jest: { ...inTestRunner, always: true },
  'next-15': { ...withReact, base: 'next', files: nextApp },
  'next-16': { ...withReact, base: 'next', files: nextApp },
  'vite-react-18': {
    ...withReact,
    files: { ...companion, 'server.ts': shared('static.ts'), 'src/Buy.tsx': button },
  },
  'react-router': {
    ...withReact,
    files: { 'app/Buy.tsx': button, 'app/companion.server.ts': readme('createCompanion') },
  },
  'vitest-runner': inTestRunner,
  typescript: {
    files: { ...companion, 'Buy.tsx': button, 'webview.ts': codeOf('docs/options.md', 'parseReturnUrl') },
    without: { ...onlyTests, test: 'only types' },
  },
  lazy: { without: { ...onlyTests, types: 'see typescript' } },
} satisfies Readonly<Record<string, Project>>
