import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Buy } from './Buy'

const app = document.querySelector('#app')
if (app) {
  createRoot(app).render(
    <StrictMode>
      <h1>Gold shop</h1>
      <Buy />
    </StrictMode>,
  )
}
