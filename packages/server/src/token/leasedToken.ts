/** A token and its life. */

/** A value: another token is another object. */
export interface LeasedToken {
  readonly accessToken: string
  /** By this machine's clock. Null: never. */
  readonly expiresAt: Date | null
}

export interface HeldToken extends LeasedToken {
  /** When it was created, by the service's clock: the latest is the one that lives. */
  readonly createdAt: number
}
