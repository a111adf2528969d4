/** A second copy of the second stage: the build places it here, under an address of its own. */
export * from './rest.ts'
