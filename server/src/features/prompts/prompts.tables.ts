import type { Generated } from "kysely";

export interface PromptsTable {
  id: Generated<number>;
  company_id: number;
  name: string;
  prompt: string;
  voice: string;
  voice_region: string;
  max_tokens: number;
  temperature: number;
  max_messages: number;
  base_url: string;
  model: string;
  /** Encrypted. */
  api_key: Buffer | null;
  /** Encrypted. */
  voice_key: Buffer | null;
  queue_id: number | null;
  created_at: Generated<Date>;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    prompts: PromptsTable;
  }
}
