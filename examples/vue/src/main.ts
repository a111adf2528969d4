import '@purchase-widget/loader/element'
import { createApp } from 'vue'
import Shop from './GoldShop.vue'

createApp(Shop).mount('#root')
