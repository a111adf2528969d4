/** zoid: a component in a frame. The page inside does not run zoid, so that it never says that it has rendered. */
import { create as component } from 'zoid/dist/zoid.frame.min.js'

let count = 0

export const create = (address) => {
  const Widget = component({
    tag: `bench-widget-${++count}`,
    url: address,
    dimensions: { width: '400px', height: '600px' },
  })
  let instance
  return {
    open() {
      instance = Widget()
      instance.render('body').catch(() => {})
    },
    close: () => instance.close(),
  }
}
