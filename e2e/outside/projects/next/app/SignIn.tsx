'use client'

import { useEffect } from 'react'

/** Stands for the shop's own way to sign in. */
export function SignIn() {
  useEffect(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: As old as the browsers that a shop sells to.
    document.cookie = 'session=the-random-id-of-a-session; path=/'
  }, [])
  return null
}
