import { feature as agentAssist } from "#server/features/agent-assist/feature.ts";
import { feature as announcements } from "#server/features/announcements/feature.ts";
import { feature as apiKeys } from "#server/features/api-keys/feature.ts";
import { feature as audit } from "#server/features/audit/feature.ts";
import { feature as auth } from "#server/features/auth/feature.ts";
import { botFeature } from "#server/features/bot/feature.ts";
import { customerNotices, kindsOf } from "#server/features/bot/index.ts";
import type { AssistantDrivers } from "#server/features/bot/index.ts";
import { campaignsFeature } from "#server/features/campaigns/feature.ts";
import { feature as chatImports } from "#server/features/chat-imports/feature.ts";
import { feature as chats } from "#server/features/chats/feature.ts";
import { companyExportsFeature } from "#server/features/company-exports/feature.ts";
import { feature as companies } from "#server/features/companies/feature.ts";
import { connectionsFeature } from "#server/features/connections/feature.ts";
import { contactListsFeature } from "#server/features/contact-lists/feature.ts";
import { contactsFeature } from "#server/features/contacts/feature.ts";
import { feature as dashboard } from "#server/features/dashboard/feature.ts";
import { feature as deadJobs } from "#server/features/dead-jobs/feature.ts";
import { feature as devices } from "#server/features/devices/feature.ts";
import { feature as files } from "#server/features/files/feature.ts";
import { feature as firstSteps } from "#server/features/first-steps/feature.ts";
import { feature as helps } from "#server/features/helps/feature.ts";
import { inboundFeature } from "#server/features/inbound/feature.ts";
import { contactMergeParticipants, contactResolver } from "#server/features/inbound/index.ts";
import { invoicesFeature } from "#server/features/invoices/feature.ts";
import { asaasToken } from "#server/features/invoices/index.ts";
import { knowledgeFeature } from "#server/features/knowledge/feature.ts";
import { embedQuickMessages } from "#server/features/knowledge/index.ts";
import { feature as messages } from "#server/features/messages/feature.ts";
import {
  enqueueMoveUnsent,
  failPendingOnLineDeletion,
  joinMessagesOfTicket,
  restoreWithdrawn,
  withdrawPaused,
} from "#server/features/messages/index.ts";
import { messagesApiFeature } from "#server/features/messages-api/feature.ts";
import { feature as notes } from "#server/features/notes/feature.ts";
import { addTransferNote, moveNotesOfTicket } from "#server/features/notes/index.ts";
import { feature as plans } from "#server/features/plans/feature.ts";
import { privacyFeature } from "#server/features/privacy/feature.ts";
import { findErasedNumbers } from "#server/features/privacy/index.ts";
import { feature as products } from "#server/features/products/feature.ts";
import { quickMessagesFeature } from "#server/features/quick-messages/feature.ts";
import { releaseQuickMessages } from "#server/features/quick-messages/index.ts";
import { feature as prompts } from "#server/features/prompts/feature.ts";
import { createPromptDriver, promptEmbedders } from "#server/features/prompts/index.ts";
import { queueIntegrationsFeature } from "#server/features/queue-integrations/feature.ts";
import { createIntegrationDriver, moveCallsOfTicket } from "#server/features/queue-integrations/index.ts";
import { feature as queues } from "#server/features/queues/feature.ts";
import { feature as schedules } from "#server/features/schedules/feature.ts";
import { feature as sending } from "#server/features/sending/feature.ts";
import { settingsFeature } from "#server/features/settings/feature.ts";
import { feature as setup } from "#server/features/setup/feature.ts";
import { feature as simulator } from "#server/features/simulator/feature.ts";
import { feature as storage } from "#server/features/storage/feature.ts";
import { feature as support } from "#server/features/support/feature.ts";
import { feature as tags } from "#server/features/tags/feature.ts";
import { ticketsFeature } from "#server/features/tickets/feature.ts";
import { applyContactBlock, emitTicketsDeleted, returnTicket } from "#server/features/tickets/index.ts";
import { usersFeature } from "#server/features/users/feature.ts";
import { webhooksFeature } from "#server/features/webhooks/feature.ts";
import type { Feature } from "#server/platform/feature.ts";
import { doctorFeature } from "./doctor/feature.ts";
import { streamCompany } from "./move-in/index.ts";

const connections = connectionsFeature({ failPendingOnLineDeletion });
const users = usersFeature({ returnTicket, releaseQuickMessages });
const contacts = contactsFeature({
  mergeParticipants: contactMergeParticipants,
  onBlockChanged: applyContactBlock,
  onDeleted: emitTicketsDeleted,
  findErasedNumbers,
});
/** What answers customers in place of the menus. */
const assistants: AssistantDrivers = { prompt: createPromptDriver(), integration: createIntegrationDriver() };
const tickets = ticketsFeature({
  sendCustomerNotice: customerNotices(kindsOf(assistants)),
  addTransferNote,
  moveUnsent: enqueueMoveUnsent,
  async joinConversation(ctx, joined, contactId) {
    await joinMessagesOfTicket(ctx, joined);
    await moveNotesOfTicket(ctx, joined, contactId);
    await moveCallsOfTicket(ctx, joined);
  },
  withdrawPaused,
  restoreWithdrawn,
});
const settings = settingsFeature(asaasToken);
const invoices = invoicesFeature();
const contactLists = contactListsFeature({ findErasedNumbers });
const bot = botFeature(assistants);
const knowledge = knowledgeFeature(promptEmbedders);
const quickMessages = quickMessagesFeature({ onChanged: embedQuickMessages });
const campaigns = campaignsFeature({ contacts: contactResolver });
const messagesApi = messagesApiFeature({ contacts: contactResolver });
const queueIntegrations = queueIntegrationsFeature();
const webhooks = webhooksFeature();
const inbound = inboundFeature(kindsOf(assistants));

const owners: readonly Feature[] = [
  auth,
  companies,
  users,
  plans,
  settings,
  apiKeys,
  support,
  invoices,
  files,
  queues,
  connections,
  contacts,
  sending,
  contactLists,
  tags,
  products,
  tickets,
  messages,
  notes,
  devices,
  quickMessages,
  bot,
  knowledge,
  prompts,
  queueIntegrations,
  schedules,
  campaigns,
  agentAssist,
  chats,
  chatImports,
  companyExportsFeature(streamCompany),
  announcements,
  helps,
  deadJobs,
  audit,
  storage,
  dashboard,
  firstSteps,
  setup,
  doctorFeature,
  inbound,
  messagesApi,
  webhooks,
  simulator,
];

/** Every feature, from low to high (docs/architecture.md). This is the only list. */
export const features: readonly Feature[] = [
  ...owners,
  privacyFeature(
    owners.flatMap(({ personalData = [] }) => personalData),
    owners.flatMap(({ files = [] }) => files),
  ),
];
