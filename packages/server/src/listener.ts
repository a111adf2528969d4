/** A merchant's function that only receives something: nobody waits for it, and nothing depends on it. */

/**
 * Calls the function at once, and never throws. Neither what it throws nor what its promise rejects with reaches the caller or the process,
 * which an unhandled rejection would end.
 *
 * @param onFailure receives that failure.
 */
export function listener<Args extends unknown[]>(
  receive: (...args: Args) => unknown,
  onFailure: (failure: unknown) => void = () => {},
): (...args: Args) => void {
  const run = async (...args: Args): Promise<unknown> => receive(...args)
  return (...args) => void run(...args).catch(onFailure)
}
