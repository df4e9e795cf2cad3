import { sql } from "kysely";
import type { Kysely } from "kysely";
import { protect, share, SYSTEM_ROLE } from "#server/platform/db/migration-helpers.ts";

/** Invoices, the Pix charges of them, and what was paid (F-01 to F-05, decisions 0201 and 0202). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table companies add column tax_id text not null default ''`.execute(db);
  await sql`grant update (tax_id) on companies to prosa_app`.execute(db);
  await sql`create index companies_due on companies (due_date) where deleted_at is null and due_date is not null`.execute(
    db,
  );

  // one row: how the operator is paid, which every request reads for the days of grace
  await sql`
    create table billing_settings (
      only_one boolean primary key default true check (only_one),
      grace_days int not null default 0 check (grace_days between 0 and 60),
      provider text not null default 'static' check (provider in ('static', 'efi', 'asaas')),
      pix_key text not null default '',
      pix_name text not null default '',
      pix_city text not null default '',
      updated_at timestamptz not null default now()
    )`.execute(db);
  await sql`insert into billing_settings default values`.execute(db);
  await share(db, "billing_settings", { system: "all" });

  // keys of the providers, encrypted: requests cannot read them
  await sql`
    create table payment_accounts (
      provider text primary key check (provider in ('efi', 'asaas')),
      environment text not null default 'production' check (environment in ('production', 'sandbox')),
      pix_key text not null default '',
      sealed text not null default ''
    )`.execute(db);
  await sql`grant select, insert, update, delete on payment_accounts to ${sql.id(SYSTEM_ROLE)}`.execute(db);

  await sql`
    create table invoices (
      id int generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      -- the end of what was paid before: there is one invoice for each
      due_date date not null,
      detail text not null,
      value numeric(12, 2) not null check (value > 0),
      months int not null check (months > 0),
      status text not null default 'open' check (status in ('open', 'paid', 'cancelled')),
      issued_at timestamptz not null,
      -- the last warning that was mailed: 7, 3 or 1 days before the due date
      warned_days int,
      paid_at timestamptz,
      paid_by text check (paid_by in ('pix', 'manual', 'credit')),
      -- the company's due date after the payment
      paid_until date,
      check ((status = 'paid') = (paid_at is not null and paid_by is not null)),
      unique (company_id, due_date),
      unique (company_id, id)
    )`.execute(db);
  await sql`create index invoices_unpaid on invoices (due_date, id) where status = 'open'`.execute(db);
  await sql`create index invoices_paid on invoices (paid_at) where status = 'paid'`.execute(db);
  await protect(db, "invoices", { app: "read", system: "all" });

  await sql`
    create table invoice_charges (
      id int generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      invoice_id int not null,
      provider text not null check (provider in ('efi', 'asaas')),
      -- chosen here before the provider is asked, so that a repeated request is the same charge
      txid text not null,
      value numeric(12, 2) not null,
      -- the provider's own id of it
      reference text,
      br_code text,
      is_live boolean not null default true,
      -- who asks the provider for it now, until when
      claimed_until timestamptz,
      created_at timestamptz not null,
      expires_at timestamptz,
      -- when the provider is asked again whether it was paid; null: no more
      check_at timestamptz,
      foreign key (company_id, invoice_id) references invoices (company_id, id) on delete cascade,
      unique (provider, txid),
      unique (company_id, id)
    )`.execute(db);
  await sql`create unique index invoice_charges_live on invoice_charges (invoice_id) where is_live`.execute(db);
  await sql`create index invoice_charges_of_invoice on invoice_charges (company_id, invoice_id)`.execute(db);
  await sql`create index invoice_charges_due on invoice_charges (check_at) where check_at is not null`.execute(db);
  await sql`create index invoice_charges_reference on invoice_charges (provider, reference)`.execute(db);
  await protect(db, "invoice_charges", { app: "read", system: "all" });

  await sql`
    create table invoice_payments (
      id int generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      -- the invoice that it was meant for
      invoice_id int not null,
      method text not null check (method in ('pix', 'manual')),
      provider text not null,
      -- endToEndId of a Pix, the provider's payment, or the invoice that was marked: money is counted once
      reference text not null,
      value numeric(12, 2) not null check (value > 0),
      paid_at timestamptz not null,
      note text not null default '',
      user_id int,
      created_at timestamptz not null,
      foreign key (company_id, invoice_id) references invoices (company_id, id) on delete cascade,
      unique (provider, reference),
      unique (company_id, id)
    )`.execute(db);
  await sql`create index invoice_payments_of_invoice on invoice_payments (company_id, invoice_id)`.execute(db);
  await sql`create index invoice_payments_paid on invoice_payments (paid_at)`.execute(db);
  await protect(db, "invoice_payments", { app: "read", system: "all" });

  // a payment adds, an invoice takes, each once: the sum is the company's credit
  await sql`
    create table credit_entries (
      id int generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      amount numeric(12, 2) not null,
      payment_id int,
      invoice_id int,
      created_at timestamptz not null,
      check ((payment_id is not null and amount > 0) <> (invoice_id is not null and amount < 0)),
      foreign key (company_id, payment_id) references invoice_payments (company_id, id) on delete cascade,
      foreign key (company_id, invoice_id) references invoices (company_id, id) on delete cascade,
      unique (company_id, payment_id),
      unique (company_id, invoice_id)
    )`.execute(db);
  await protect(db, "credit_entries", { app: "read", system: "all" });
}
