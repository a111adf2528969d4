import '@purchase-widget/loader/element'
import { mount } from 'svelte'
import Shop from './Shop.svelte'

// Stands for your sign-in: the companion answers only for someone it knows.
await fetch('/sign-in', { method: 'POST' })

const target = document.getElementById('root')
if (target) mount(Shop, { target })
