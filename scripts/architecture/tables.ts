/**
 * Who writes which table (rule 4). Each table of the migrations stands here once, with the rooms that may insert,
 * update and delete its rows; everyone may read it in a join. A room is a folder below server/src.
 */
export const tableOwners: Readonly<Record<string, string>> = {
  // infrastructure
  event_log: "platform",
  epoch: "platform",
  jobs: "platform",
  cron_runs: "platform",
  audit_log: "platform",
  audit_heads: "platform",
  kept_counts: "platform",
  database_sign_in: "platform",

  // accounts
  companies: "features/companies",
  plans: "features/plans",
  users: "features/users",
  user_queues: "features/users",
  invitations: "features/users",
  password_resets: "features/users",
  sessions: "features/auth",
  support_sessions: "features/auth",
  support_grants: "features/support",
  api_keys: "features/api-keys",
  email_confirmations: "features/auth",
  second_factors: "features/auth",
  passkeys: "features/auth",
  recovery_codes: "features/auth",
  user_presence: "platform",
  rate_limits: "platform",
  processes: "platform",
  settings: "features/settings",
  setup_code: "features/setup",
  billing_settings: "features/invoices",
  payment_accounts: "features/invoices",
  invoices: "features/invoices",
  invoice_charges: "features/invoices",
  invoice_payments: "features/invoices",
  credit_entries: "features/invoices",

  // directory
  connections: "features/connections",
  connection_queues: "features/connections",
  queues: "features/queues",
  queue_options: "features/queues",
  contacts: "features/contacts",
  contact_identifiers: "features/contacts",
  contact_imports: "features/contacts",
  contact_merges: "features/contacts",
  tags: "features/tags",
  products: "features/products",

  contact_erasures: "features/privacy",
  contact_exports: "features/privacy",

  // lines: what their owner keeps of them
  line_leases: "features/connections",
  refused_versions: "features/connections",
  line_log: "features/connections",
  line_answers: "features/connections",
  line_limits: "features/connections",
  line_signals: "features/connections",
  line_days: "features/connections",
  wa_keys: "features/connections",
  wa_creds: "features/connections",
  sent_payloads: "features/connections",

  // conversation
  tickets: "features/tickets",
  ticket_counts: "features/tickets",
  episodes: "features/tickets",
  ticket_bulks: "features/tickets",
  ticket_tags: "features/tickets",
  ticket_products: "features/tickets",
  ticket_notes: "features/notes",
  kept_days: "features/dashboard",
  kept_day_users: "features/dashboard",
  kept_day_marks: "features/dashboard",
  messages: "features/messages",
  message_texts: "features/messages",
  message_words: "features/messages",
  message_edits: "features/messages",
  message_reactions: "features/messages",
  message_changes_waiting: "features/messages",
  media: "features/messages",
  link_previews: "features/messages",
  quick_messages: "features/quick-messages",
  api_messages: "features/messages-api",
  webhooks: "features/webhooks",
  webhook_events: "features/webhooks",
  webhook_deliveries: "features/webhooks",
  schedules: "features/schedules",
  prompts: "features/prompts",
  knowledge_sources: "features/knowledge",
  knowledge_source_prompts: "features/knowledge",
  knowledge_passages: "features/knowledge",
  prompt_usage: "features/prompts",
  queue_integrations: "features/queue-integrations",

  // campaigns
  contact_lists: "features/contact-lists",
  contact_list_items: "features/contact-lists",
  contact_list_imports: "features/contact-lists",
  contact_list_refused_rows: "features/contact-lists",
  file_lists: "features/files",
  file_list_options: "features/files",
  campaigns: "features/campaigns",
  campaign_lines: "features/campaigns",
  campaign_recipients: "features/campaigns",
  campaign_settings: "features/campaigns",
  campaign_counts: "features/campaigns",

  // the sending gate
  opt_outs: "features/sending",
  line_pace: "features/sending",
  line_rules: "features/sending",
  sending_rules: "features/sending",
  warm_up_plan: "features/sending",

  // internal chat
  chats: "features/chats",
  chat_users: "features/chats",
  chat_messages: "features/chats",

  // of the installation
  announcements: "features/announcements",
  helps: "features/helps",

  // devices that are rung while the browser is closed
  push_keys: "features/devices",
  push_subscriptions: "features/devices",

  // the simulator's people
  sim_people: "features/simulator",
  sim_days: "features/simulator",
};
