import { PurchaseError } from '../errors.ts'

/** The service was not asked: more reads wait than can be made in time. */
export class TooManyReads extends PurchaseError {
  override readonly name = 'TooManyReads'

  constructor() {
    super('reads', 'too many reads of the service are waiting. Try again in a few seconds.')
  }
}
