import { chats } from "./people/chats.ts";
import { contacts } from "./people/contacts.ts";
import { users } from "./people/users.ts";
import { kanban } from "./desk/kanban.ts";
import { messages } from "./desk/messages.ts";
import { schedules } from "./desk/schedules.ts";
import { ticketExtras } from "./desk/ticket-extras.ts";
import { tickets } from "./desk/tickets.ts";
import { campaigns } from "./lists/campaigns.ts";
import { contactLists } from "./lists/contact-lists.ts";
import { files } from "./lists/files.ts";
import { pages } from "./lists/pages.ts";
import { quickMessages } from "./lists/quick-messages.ts";
import { products, tags } from "./lists/tags-products.ts";
import { announcements } from "./operator/announcements.ts";
import { companies } from "./operator/companies.ts";
import { invoices } from "./operator/invoices.ts";
import { helps, plans } from "./operator/plans-helps.ts";
import { assistants } from "./office/assistants.ts";
import { connections } from "./office/connections.ts";
import { dashboard } from "./office/dashboard.ts";
import { messagesApi } from "./office/messages-api.ts";
import { queues } from "./office/queues.ts";
import { refusals } from "./session/refusals.ts";
import { session } from "./session/session.ts";
import { settings } from "./session/settings.ts";
import type { SpecifiedRequest } from "./format/table.ts";

/** Every request of both specifications, in the order in which they are sent. */
export const tables: Readonly<Record<string, readonly SpecifiedRequest[]>> = {
  session,
  settings,
  connections,
  queues,
  users,
  contacts,
  tickets,
  messages,
  "notes, tags and products of a ticket": ticketExtras,
  kanban,
  schedules,
  tags,
  products,
  "quick messages": quickMessages,
  "contact lists": contactLists,
  campaigns,
  "file lists": files,
  "prompts and integrations": assistants,
  dashboard,
  "messages API": messagesApi,
  pages,
  chats,
  announcements,
  plans,
  invoices,
  companies,
  helps,
  refusals,
};
