/** Writes dist/custom-elements.json, from the tables of attributes and events: editors read there what `<purchase-widget>` takes. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ofPage } from './src/attributes.ts'
import { widgetEvents } from './src/events.ts'

const types = { text: 'string', number: 'number', flag: 'boolean', list: 'string' }

const attributes = Object.entries(ofPage).map(([name, kind]) => ({
  name: name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  type: { text: types[kind] },
  fieldName: name,
}))

const declaration = {
  kind: 'class',
  customElement: true,
  tagName: 'purchase-widget',
  name: 'PurchaseWidgetElement',
  description:
    'The purchase widget as an element. Attributes are options; `param-*` are parameters of the widget.',
  superclass: { name: 'HTMLElement' },
  attributes,
  members: [
    { kind: 'field', name: 'options', type: { text: 'Partial<PurchaseWidgetOptions>' } },
    ...['open', 'close', 'preload'].map((name) => ({ kind: 'method', name })),
  ],
  events: widgetEvents.map((type) => ({
    name: `purchase-widget-${type}`,
    type: { text: `CustomEvent<WidgetEventMap['${type}']>` },
  })),
}

const manifest = {
  schemaVersion: '2.1.0',
  modules: [
    {
      kind: 'javascript-module',
      path: 'dist/element.js',
      declarations: [declaration],
      exports: [
        {
          kind: 'custom-element-definition',
          name: 'purchase-widget',
          declaration: { name: declaration.name },
        },
      ],
    },
  ],
}
writeFileSync(
  join(import.meta.dirname, 'dist/custom-elements.json'),
  `${JSON.stringify(manifest, null, 2)}\n`,
)
