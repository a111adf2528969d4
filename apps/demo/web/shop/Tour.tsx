/** What the toolkit does for a merchant, as things to try: each leads to a page where it is set up. */
import type { ReactNode } from 'react'
import { Link } from './Link.tsx'
import './tour.css'

const stops = [
  {
    title: 'Cheat on the price',
    text: 'Pay one cent for a chest of gold. The server compares the order with what it sold, and delivers nothing.',
    href: '/?product=gold-1200&cheat=price',
    label: 'Pay one cent',
  },
  {
    title: 'Buy something else',
    text: 'Swap a cloak for a castle, at the cloak’s price. The money arrives; the castle stays.',
    href: '/?product=skin-aurora&cheat=product',
    label: 'Take the castle',
  },
  {
    title: 'Break the service',
    text: 'Let calls fail, webhooks come twice, the widget never arrive. See what the shopper notices.',
    href: '/?product=gold-100#go-wrong',
    label: 'Make it go wrong',
  },
  {
    title: 'Meet the identity check',
    text: 'Above the limit the widget asks who the shopper is. The shop has nothing to do.',
    href: '/?product=north-keep',
    label: 'Buy a castle',
  },
  {
    title: 'Fetch a token into the page',
    text: 'The page fetches a token from its companion and builds the widget’s address. Any script of the page could take it.',
    href: '/?product=season-pass&token=page',
    label: 'Use a token',
  },
  {
    title: 'Speak another language',
    text: 'The checkout in 29 languages, from right to left too.',
    href: '/?product=gold-550&locale=ar',
    label: 'Buy in Arabic',
  },
] as const

export function Tour(): ReactNode {
  return (
    <section className="tour" aria-labelledby="tour-title">
      <h2 id="tour-title">Six things to try</h2>
      <ol>
        {stops.map(({ title, text, href, label }) => (
          <li key={title}>
            <h3>{title}</h3>
            <p>{text}</p>
            <Link href={href}>{label}</Link>
          </li>
        ))}
      </ol>
    </section>
  )
}
