import { Buy } from '../Buy'

/** Stands for the shop's own way to sign in. */
export const headers = () => ({ 'set-cookie': 'session=the-random-id-of-a-session; Path=/' })

export default function Shop() {
  return (
    <main>
      <title>Gold shop</title>
      <h1>Gold shop</h1>
      <Buy />
    </main>
  )
}
