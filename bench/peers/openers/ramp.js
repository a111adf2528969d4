/** Ramp: an overlay in a shadow root. A second show throws, so each opening creates a new instance. */
import { RampInstantSDK } from '@ramp-network/ramp-instant-sdk'

export const create = (address) => {
  let ramp
  return {
    open() {
      ramp = new RampInstantSDK({
        hostAppName: 'Bench',
        hostLogoUrl: `${location.origin}/logo.png`,
        url: address,
        variant: 'desktop',
      }).show()
    },
    close: () => ramp.close(),
  }
}
