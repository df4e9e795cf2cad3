import type { IntegrationType, QueueIntegration } from "@prosa/contract";
import type { Generated } from "kysely";

export interface QueueIntegrationsTable {
  id: Generated<number>;
  company_id: number;
  type: IntegrationType;
  name: string;
  project_name: string;
  /** Of a Dialogflow agent: a region of Google's cloud, or global. */
  location: Generated<string>;
  /** A service account, encrypted. */
  json_content: Buffer | null;
  /** What signs calls of n8n and webhook, encrypted; null before the integration is of such a type. */
  secret: Buffer | null;
  language: QueueIntegration["language"];
  url_n8n: string;
  typebot_slug: string;
  typebot_delay_message: number;
  typebot_expires: number;
  typebot_keyword_finish: string;
  typebot_keyword_restart: string;
  typebot_restart_message: string;
  typebot_unknown_message: string;
  created_at: Generated<Date>;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    queue_integrations: QueueIntegrationsTable;
  }
}
