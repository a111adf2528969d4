import '@purchase-widget/loader/element'
import { mount } from 'svelte'
import Shop from './Shop.svelte'

const target = document.getElementById('root')
if (target) mount(Shop, { target })
