/** Whose shop this is, where the merchant said so. */
import type { JSX } from 'preact'
import type { Shop } from '../launch.ts'

export function ShopName({ shop: { name, logo } }: { shop: Shop }): JSX.Element | null {
  if (!name && !logo) return null
  return (
    <p class="shop">
      {logo && <img src={logo} alt={name ? '' : new URL(logo).host} height={28} />}
      {name && <bdi>{name}</bdi>}
    </p>
  )
}
