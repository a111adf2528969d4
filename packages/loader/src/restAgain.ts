/** The second stage once more: the build puts a copy of it here, under an address of its own. */
export * from './rest.ts'
