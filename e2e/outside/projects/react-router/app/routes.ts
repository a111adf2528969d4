import { index, type RouteConfig, route } from '@react-router/dev/routes'

export default [
  index('routes/shop.tsx'),
  route('api/purchase-widget/*', 'routes/companion.ts'),
] satisfies RouteConfig
