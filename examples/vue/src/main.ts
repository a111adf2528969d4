import '@purchase-widget/loader/element'
import { createApp } from 'vue'
import Shop from './GoldShop.vue'

// Stands for your sign-in: the companion answers only for someone it knows.
await fetch('/sign-in', { method: 'POST' })

createApp(Shop).mount('#root')
