/** What any script of a page can do where the page gets the token: read each answer of `POST /token`, and change it. */

export interface Grant {
  accessToken: string
  widgetUrl: string
  params: Readonly<Record<string, string>>
}

/** Passes each answer through `change`; gives back the undo. */
export function interceptGrants(change: (grant: Grant) => Grant): () => void {
  const untouched = window.fetch
  window.fetch = async (input, init) => {
    const response = await untouched(input, init)
    if (!response.ok || new URL(response.url).pathname !== '/api/purchase-widget/token') return response
    return Response.json(change(await response.json()))
  }
  return () => {
    window.fetch = untouched
  }
}
