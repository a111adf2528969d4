/** The tables of the Postgres store. A migration that has been published is never changed: another one follows it. */

/** Each gives its statements for the schema's name. What may be lost in a crash of the server is unlogged. */
export const migrations: readonly ((schema: string) => readonly string[])[] = [
  (schema) => [
    `CREATE TABLE ${schema}.purchases (
      id text COLLATE "C" PRIMARY KEY,
      shopper text NOT NULL,
      product_id text,
      begun_at bigint NOT NULL,
      kept_until bigint NOT NULL,
      claimed_by text,
      by_link boolean NOT NULL,
      by_other_site boolean NOT NULL,
      preloaded_until bigint,
      check_at bigint,
      purchase text NOT NULL
    )`,
    `CREATE INDEX purchases_shopper ON ${schema}.purchases (shopper, begun_at, id)`,
    `CREATE INDEX purchases_unsettled ON ${schema}.purchases (begun_at, id) WHERE claimed_by IS NULL`,
    `CREATE INDEX purchases_kept ON ${schema}.purchases (kept_until)`,
    `CREATE INDEX purchases_check ON ${schema}.purchases (check_at) WHERE check_at IS NOT NULL`,
    `CREATE TABLE ${schema}.orders (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      purchase_id text COLLATE "C" NOT NULL REFERENCES ${schema}.purchases (id) ON DELETE CASCADE,
      id text NOT NULL,
      type text NOT NULL,
      state text NOT NULL,
      summary text NOT NULL,
      UNIQUE (purchase_id, id)
    )`,
    `CREATE TABLE ${schema}.renewals (
      purchase_id text COLLATE "C" NOT NULL REFERENCES ${schema}.purchases (id) ON DELETE CASCADE,
      order_id text NOT NULL,
      PRIMARY KEY (purchase_id, order_id)
    )`,
    `CREATE TABLE ${schema}.handled (
      order_id text NOT NULL,
      type text NOT NULL,
      purchase_id text COLLATE "C" NOT NULL,
      handled_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      PRIMARY KEY (order_id, type)
    )`,
    `CREATE INDEX handled_at ON ${schema}.handled (handled_at)`,
    `CREATE TABLE ${schema}.jobs (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      queue text NOT NULL,
      key text NOT NULL,
      due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      failures integer NOT NULL DEFAULT 0,
      receipt uuid NOT NULL DEFAULT gen_random_uuid(),
      UNIQUE (queue, key)
    )`,
    `CREATE INDEX jobs_due ON ${schema}.jobs (queue, due_at, number)`,
    `CREATE TABLE ${schema}.dead_letters (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      key text NOT NULL UNIQUE,
      reason text NOT NULL,
      attempts integer NOT NULL,
      died_at timestamptz NOT NULL DEFAULT clock_timestamp()
    )`,
    `CREATE TABLE ${schema}.values (key text PRIMARY KEY, value text NOT NULL, ends_at timestamptz)`,
    `CREATE UNLOGGED TABLE ${schema}.locks (
      key text PRIMARY KEY,
      holder text NOT NULL,
      ends_at timestamptz NOT NULL
    )`,
    `CREATE UNLOGGED TABLE ${schema}.counts (
      name text NOT NULL,
      key text NOT NULL,
      calls integer NOT NULL,
      ends_at timestamptz NOT NULL,
      PRIMARY KEY (name, key)
    )`,
    `CREATE INDEX counts_ends ON ${schema}.counts (ends_at)`,
  ],
]
