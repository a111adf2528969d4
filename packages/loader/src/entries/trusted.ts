/** Addresses of scripts, as a page with Trusted Types accepts them. */

interface Policies {
  createPolicy(name: string, rules: object): { createScriptURL(url: string): string }
}

let policy: ReturnType<Policies['createPolicy']> | undefined

/** An address in the form that a page with Trusted Types accepts: by a policy with the loader's name, of which a page may have only one. */
export function trusted(url: string): string {
  policy ??= (window as { trustedTypes?: Policies }).trustedTypes?.createPolicy('purchase-widget', {
    createScriptURL: (given: string) => given,
  })
  return policy?.createScriptURL(url) ?? url
}
