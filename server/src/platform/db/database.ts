/**
 * The tables that Kysely knows. Empty here: each feature adds its own by declaration merging in `<noun>.tables.ts`,
 * so that platform carries no domain words and a join across features is still typed.
 */
export interface Database {}
