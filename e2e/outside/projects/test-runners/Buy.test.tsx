// Promise: outside/projects
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { Buy } from './Buy'

test('a click in a browser that cannot show the widget is reported as the button’s error, and never thrown', async () => {
  render(<Buy />)
  const button = screen.getByRole('button', { name: 'Buy 100 gold' })
  fireEvent.click(button)
  await waitFor(() => expect(button.getAttribute('data-status')).toBe('error'))
})
