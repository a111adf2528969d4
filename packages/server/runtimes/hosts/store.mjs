/** The store that the environment names: `memory`, `sqlite:<file>` or an address of Postgres. */
export async function openStore(name) {
  if (name.startsWith('postgres:')) {
    const [{ postgresStore }, { Pool }] = await Promise.all([
      import('@purchase-widget/server/postgres'),
      import('pg'),
    ])
    return postgresStore(new Pool({ connectionString: name }))
  }
  if (name.startsWith('sqlite:')) {
    const { sqliteStore } = await import('@purchase-widget/server/sqlite')
    return sqliteStore(name.slice('sqlite:'.length))
  }
  return undefined
}
