// Promise: react/one-frame
import { PurchaseWidgetElement } from '@purchase-widget/loader/element'
import { accessToken } from './measure.ts'
import { conformance, type Mounted, type Subject } from './suite.ts'

const element: Subject = {
  name: 'the custom element',
  canHide: true,
  source: ({ bareUrl }) => ({ widgetUrl: bareUrl, accessToken }),
  mount(source, behaviour): Mounted {
    const place = document.body.appendChild(document.createElement('div'))
    const element = new PurchaseWidgetElement()
    let status = ''
    element.addEventListener('purchase-widget-statechange', (event) => {
      status = (event as CustomEvent).detail.status
    })
    element.options = { ...source, ...behaviour, interpretMessage: () => null }
    place.append(element)
    return {
      status: () => status,
      update(next) {
        element.options = { ...source, ...next, interpretMessage: () => null }
      },
      unmount: () => place.remove(),
      async suspend() {
        element.hidden = true
      },
      async resume() {
        element.hidden = false
      },
      hide: () => element.remove(),
      show: () => place.append(element),
    }
  },
  mountTwice(source, behaviour) {
    const mounted = this.mount(source, behaviour)
    mounted.hide()
    mounted.show()
    return mounted
  },
}

conformance(element)
