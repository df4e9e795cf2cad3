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
  /** Empty: voice messages are not transcribed. */
  transcription_model: Generated<string>;
  /** Null: no cap. */
  monthly_tokens: number | null;
  /** Empty: its texts are found by their words only. */
  embedding_model: Generated<string>;
  embedding_fault: string | null;
  embedding_fault_at: Date | null;
  /** US dollars for a million tokens. */
  input_price: number | null;
  output_price: number | null;
  /** US dollars of a month. */
  monthly_cost: number | null;
  reads_pictures: Generated<boolean>;
  fault: string | null;
  fault_at: Date | null;
  created_at: Generated<Date>;
}

export interface PromptUsageTable {
  company_id: number;
  prompt_id: number;
  /** Its first day: 2026-11-01. */
  month: string;
  requests: Generated<number>;
  input_tokens: Generated<number>;
  output_tokens: Generated<number>;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    prompts: PromptsTable;
    prompt_usage: PromptUsageTable;
  }
}
