import { Buy } from './Buy'
import { SignIn } from './SignIn'

export default function Page() {
  return (
    <main>
      <h1>Gold shop</h1>
      <SignIn />
      <Buy />
    </main>
  )
}
