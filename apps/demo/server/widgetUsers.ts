import type { DatabaseSync } from 'node:sqlite'

/** Which of the service's users a shopper is, once `POST /user` has made one. */
export interface WidgetUsers {
  userIdOf(customId: string): string | undefined
  remember(customId: string, userId: string): void
}

export function createWidgetUsers(database: DatabaseSync): WidgetUsers {
  const select = database.prepare('SELECT user_id FROM widget_users WHERE custom_id = ?')
  const insert = database.prepare(
    'INSERT INTO widget_users (custom_id, user_id) VALUES (?, ?) ON CONFLICT DO NOTHING',
  )
  return {
    userIdOf: (customId) => select.get(customId)?.user_id?.toString(),
    remember(customId, userId) {
      insert.run(customId, userId)
    },
  }
}
