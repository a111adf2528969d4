/**
 * The schema as a list of migrations; `user_version` counts how many a file has applied. Never change a published
 * migration: add one.
 *
 * Amounts are decimal strings, and times are milliseconds of the sandbox's clock. An order's columns have the names of
 * section 2.2 of the interface, and an empty string is a field without a value.
 */
export const migrations: readonly string[] = [
  `
  create table settings (name text primary key, value text not null) strict;

  create table tokens (
    token text primary key,
    created_at integer not null,
    expires_at integer,
    replaced integer not null default 0
  ) strict;

  create table users (
    user_id text primary key,
    id text not null,
    email text not null unique collate nocase,
    phone text not null,
    phone_country text not null,
    first_name text not null,
    last_name text not null,
    date_of_birth text not null,
    country text not null,
    state text not null,
    created_at integer not null,
    lkyc_status text not null,
    fkyc_status text not null,
    crypto_spending text not null default '0.00',
    digital_goods_spending text not null default '0.00'
  ) strict;

  create table cards (
    card_id text primary key,
    user_id text not null references users,
    brand text not null,
    last_digits text not null,
    renewal_decline text,
    created_at integer not null
  ) strict;
  create index cards_by_user on cards (user_id);

  create table orders (
    id text primary key,
    custom_id text not null,
    user_id text not null references users,
    product_id text not null,
    type text not null,
    base text not null,
    base_amount text not null,
    quote text not null,
    quote_amount text not null,
    address text not null,
    transaction_id text not null,
    partner_data text not null,
    full_name text not null,
    date_of_birth text not null,
    phone text not null,
    email text not null,
    state text not null,
    country text not null,
    city text not null,
    street text not null,
    postal_code text not null,
    utm_source text not null,
    clickID text not null,
    campaignID text not null,
    fail_reason text not null,
    redirect_url text not null,
    fail_redirect_url text not null,
    redirect_page text not null,
    hash text not null,
    decline_code text,
    kind text not null,
    token text,
    card_id text,
    created_at integer not null
  ) strict;
  create index orders_by_custom_id on orders (custom_id);
  create index orders_by_user on orders (user_id);
  create index orders_by_hash on orders (hash);
  create index orders_in_progress on orders (type) where type = 'payment_started';

  create table subscriptions (
    id text primary key,
    order_id text not null references orders,
    user_id text not null references users,
    custom_id text not null,
    product_id text not null,
    card_id text not null,
    interval_time text not null,
    status integer not null,
    start_date integer not null,
    last_paid_date integer not null,
    next_paid_date integer not null,
    expire_date integer not null,
    periods_paid integer not null,
    failed_attempts integer not null,
    failed_to_paid integer not null,
    next_paid integer not null,
    due_at integer
  ) strict;
  create index subscriptions_due on subscriptions (due_at) where due_at is not null;

  create table checkouts (
    id text primary key,
    token text not null,
    params text not null,
    product_id text not null,
    email text,
    step text not null,
    card text,
    order_id text,
    created_at integer not null
  ) strict;

  create table webhook_targets (id text primary key, url text not null) strict;

  create table webhook_deliveries (
    id text primary key,
    event text not null,
    order_id text not null,
    url text not null,
    payload text not null,
    status text not null,
    attempts integer not null,
    created_at integer not null
  ) strict;
  create index webhook_deliveries_pending on webhook_deliveries (status) where status = 'pending';
  `,
  `
  alter table webhook_deliveries add column answer text not null default '';
  alter table webhook_deliveries add column tried_at integer;
  `,
  `
  alter table webhook_deliveries add column response text not null default '';
  `,
]
