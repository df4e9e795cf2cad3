import type { Generated } from "kysely";

export interface ChatsTable {
  id: Generated<number>;
  uuid: Generated<string>;
  company_id: number;
  owner_id: number | null;
  title: string;
  last_message: Generated<string>;
  updated_at: Date;
  created_at: Generated<Date>;
}

export interface ChatUsersTable {
  company_id: number;
  chat_id: number;
  user_id: number;
  unreads: Generated<number>;
}

export interface ChatMessagesTable {
  id: Generated<number>;
  company_id: number;
  chat_id: number;
  sender_id: number | null;
  sender_name: string;
  message: string;
  client_id: string | null;
  created_at: Date;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    chats: ChatsTable;
    chat_users: ChatUsersTable;
    chat_messages: ChatMessagesTable;
  }
}
