import type { Generated } from "kysely";
import type { KnowledgeSource } from "@prosa/contract";

export interface KnowledgeSourcesTable {
  id: Generated<number>;
  company_id: number;
  name: string;
  kind: KnowledgeSource["kind"];
  /** Of a page of text. */
  body: Generated<string>;
  media_path: string | null;
  media_name: string | null;
  media_type: string | null;
  media_size: number | null;
  state: KnowledgeSource["state"];
  failure: KnowledgeSource["failure"];
  pages: number | null;
  passages: Generated<number>;
  is_for_all: boolean;
  created_at: Date;
  updated_at: Date;
}

export interface KnowledgeSourcePromptsTable {
  company_id: number;
  source_id: number;
  prompt_id: number;
}

export interface KnowledgePassagesTable {
  id: Generated<number>;
  company_id: number;
  source_id: number;
  position: number;
  heading: string;
  page: number | null;
  body: string;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    knowledge_sources: KnowledgeSourcesTable;
    knowledge_source_prompts: KnowledgeSourcePromptsTable;
    knowledge_passages: KnowledgePassagesTable;
  }
}
