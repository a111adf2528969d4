// Promise: react/one-frame
import { createPurchaseWidget, type PurchaseWidget } from '@purchase-widget/loader'
import { accessToken } from './measure.ts'
import { type Behaviour, conformance, type Subject } from './suite.ts'

const loader: Subject = {
  name: 'the loader',
  canHide: true,
  source: ({ bareUrl }) => ({ widgetUrl: bareUrl, accessToken }),
  mount(source, behaviour) {
    const container = document.body.appendChild(document.createElement('div'))
    const make = (behaviour: Behaviour): PurchaseWidget => {
      const widget = createPurchaseWidget({ ...source, ...behaviour, mode: 'iframe', container })
      void widget.open()
      return widget
    }
    let widget = make(behaviour)
    let madeOf = JSON.stringify(behaviour)
    return {
      status: () => widget.getSnapshot().status,
      update(next) {
        if (JSON.stringify(next) === madeOf) return void widget.open()
        widget.destroy()
        widget = make(next)
        madeOf = JSON.stringify(next)
      },
      unmount() {
        widget.destroy()
        container.remove()
      },
      async suspend() {
        container.hidden = true
      },
      async resume() {
        container.hidden = false
      },
      hide: () => widget.destroy(),
      show() {
        widget = make(behaviour)
      },
    }
  },
  mountTwice(source, behaviour) {
    const mounted = this.mount(source, behaviour)
    mounted.hide()
    mounted.show()
    return mounted
  },
}

conformance(loader)
