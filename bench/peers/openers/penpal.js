/** penpal opens nothing itself: a frame by hand, and its connection to it. */
import { connect, WindowMessenger } from 'penpal'

export const create = (address) => {
  let frame
  let connection
  return {
    open() {
      frame = Object.assign(document.createElement('iframe'), { width: 400, height: 600, src: address })
      document.body.append(frame)
      const messenger = new WindowMessenger({
        remoteWindow: frame.contentWindow,
        allowedOrigins: [new URL(address).origin],
      })
      connection = connect({ messenger })
      connection.promise.catch(() => {})
    },
    close() {
      connection.destroy()
      frame.remove()
    },
  }
}
