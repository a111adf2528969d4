/** Which of the service's users a shopper is, once `POST /user` has made one. */
import type { DatabaseSync } from 'node:sqlite'

export interface WidgetUsers {
  userIdOf(shopper: string): string | undefined
  remember(shopper: string, userId: string): void
}

export function createWidgetUsers(database: DatabaseSync): WidgetUsers {
  const select = database.prepare('SELECT user_id FROM widget_users WHERE shopper = ?')
  const insert = database.prepare(
    'INSERT INTO widget_users (shopper, user_id) VALUES (?, ?) ON CONFLICT DO NOTHING',
  )
  return {
    userIdOf: (shopper) => select.get(shopper)?.user_id?.toString(),
    remember(shopper, userId) {
      insert.run(shopper, userId)
    },
  }
}
