/** The outside projects: each as its owner would write it from our documents, with its steps. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeWith } from '../fixtures/documents.ts'
import type { Sale } from './buy.ts'

export const stepNames = ['install', 'types', 'build', 'start', 'buy', 'test'] as const
export type StepName = (typeof stepNames)[number]

export interface Project {
  /** The folder of `projects` with its files, if its name differs. */
  folder?: string
  /** How it sells. */
  sale?: Sale
  /** Files that it takes verbatim from our documents and examples. */
  files?: Readonly<Record<string, () => string>>
  /** The reason for each omitted step. */
  without?: Partial<Record<StepName, string>>
  /** Part of `pnpm test`. */
  always?: boolean
}

const codeOf = (document: string, text: string) => (): string => codeWith(document, text)
const readme = (text: string) => codeOf('README.md', text)

const companion = { 'companion.ts': readme('createCompanion') }
const asServer: Pick<Project, 'sale' | 'without'> = {
  sale: { click: 'link' },
  without: { build: 'Node runs it as it is' },
}

const untested = { test: 'the purchase is its test' }
const withReact: Pick<Project, 'sale' | 'without'> = { sale: { click: 'button' }, without: untested }
const button = readme('<PurchaseButton')

/** The unchanged app of an example. */
const appOf = (example: string): Record<string, () => string> => {
  const cwd = join(import.meta.dirname, '../../examples', example)
  return Object.fromEntries(
    globSync('app/**/*.{ts,tsx}', { cwd }).map((file) => [file, () => readFileSync(join(cwd, file), 'utf8')]),
  )
}

/** The same shop on two major versions. */
const onNext = (version: string): Project => ({
  ...withReact,
  folder: 'next',
  files: {
    ...appOf('nextjs'),
    'package.json': () => {
      const manifest = JSON.parse(
        readFileSync(join(import.meta.dirname, 'projects/next/package.json'), 'utf8'),
      )
      manifest.name = `next-${version.split('.')[0]}`
      manifest.dependencies.next = version
      return JSON.stringify(manifest)
    },
  },
})

const onlyTests = { build: 'no shop', start: 'no shop', buy: 'no shop' }

export const projects = {
  'express-helmet': {
    ...asServer,
    files: { ...companion, 'headers.ts': codeOf('docs/go-live.md', 'helmet({') },
    always: true,
  },
  commonjs: { ...asServer, always: true, without: { ...asServer.without, ...untested } },
  'test-runners': {
    files: { 'Buy.tsx': button },
    without: onlyTests,
    always: true,
  },
  'next-15': onNext('15.5.29'),
  'next-16': onNext('16.4.6'),
  'vite-react-18': {
    ...withReact,
    files: { ...companion, 'src/Buy.tsx': button },
  },
  entries: {
    files: { ...companion, 'Buy.tsx': button, 'webview.ts': codeOf('docs/options.md', 'parseReturnUrl') },
    without: onlyTests,
  },
} satisfies Readonly<Record<string, Project>>
