import type { ErrorCode, PermissionRule, PlanFlag } from "@prosa/contract";
import type { RowKind } from "./rows.ts";

/** Placeholder for the id (or another field) of a row that is created for the caller when the sample is used. */
export class Ref {
  readonly kind: RowKind;
  readonly field: string;
  /** A filter: an unknown id finds nothing. Any other id that is not the company's is refused. */
  readonly isFilter: boolean;

  constructor(kind: RowKind, field: string, isFilter: boolean) {
    this.kind = kind;
    this.field = field;
    this.isFilter = isFilter;
  }
}

/** Input of a call that succeeds for everybody who may make it. Lists in a query are sent as JSON. */
export interface Sample {
  readonly params?: Fields;
  readonly query?: Fields;
  readonly body?: Fields;
  readonly file?: "picture" | "table" | "text" | "chat";
  /** The error for permitted callers, where no simulator runs or no credentials are sent. Default: success. */
  readonly ends?: ErrorCode;
  /** A further permission that this sample needs, of a call that others may make as well. */
  readonly needs?: PermissionRule | "super";
  /** The plan flag that this sample needs. */
  readonly plan?: PlanFlag;
  /** The operator may make this call for any company. */
  readonly operatorReaches?: true;
}
export interface Fields {
  readonly [name: string]: Value;
}
export type Value = string | number | boolean | null | Ref | Fields | readonly Value[];

const row = (kind: RowKind, field = "id") => new Ref(kind, field, false);
/** An id that is ignored if it is not the company's: a quoted message may be deleted, and the server sets a tag's owner. */
const ignored = (kind: RowKind, field = "id") => filter(kind, field);
const filter = (kind: RowKind, field = "id") => new Ref(kind, field, true);
const one = (kind: RowKind) => ({ params: { id: row(kind) } });

const ofTicket = { params: { ticketId: row("ticket") } };
const ofMessage = { params: { messageId: row("message") } };
const ofFailed = { params: { messageId: row("failedMessage") } };
const someDays = { initialDate: "2026-01-01", finalDate: "2026-01-31", products: [filter("product")] };
const days = Array.from({ length: 7 }, (_, index) => ({
  weekday: "day",
  weekdayEn: ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"][index] ?? "",
  startTime: "08:00",
  endTime: "18:00",
}));
const browser = "https://push.example.com/device";
const sold = { ticketId: row("soldTicket"), productId: row("soldTicket", "product_id") };
const person = { id: row("line"), number: "5511988887777" };
const simGroup = { id: row("line"), group: "120363041228867310" };
const noNetwork = { ends: "ERR_UNAVAILABLE" } as const;

/** Samples for every call of the contract, by name. A missing call fails rights-walk.test.ts. */
export const samples: Readonly<Record<string, Sample | readonly Sample[]>> = {
  "agentAssist.state": {},
  // no prompt has a key
  "agentAssist.reply": { ...ofTicket, ends: "ERR_AI_UNAVAILABLE" },
  "agentAssist.summary": { ...ofTicket, body: { language: "pt" }, ends: "ERR_AI_UNAVAILABLE" },
  "agentAssist.rewrite": { ...ofTicket, body: { text: "oi", tone: "formal" }, ends: "ERR_AI_UNAVAILABLE" },
  "agentAssist.translate": {
    ...ofTicket,
    body: { messageId: filter("message"), language: "en" },
    // the message is of another conversation
    ends: "ERR_NO_MESSAGE_FOUND",
  },

  "announcements.list": {},
  "announcements.get": one("announcement"),
  "announcements.create": { body: { title: "Novidades", text: "Chegaram os avisos." } },
  "announcements.update": { ...one("announcement"), body: { title: "Novidades" } },
  "announcements.remove": one("announcement"),
  "announcements.upload": { ...one("announcement"), file: "picture" },
  "announcements.removeMedia": one("announcement"),

  "audit.list": { query: { userId: filter("colleague") } },
  "audit.export": { query: { userId: filter("colleague") } },
  "audit.verify": {},
  "audit.verifyAll": {},

  "apiKeys.list": {},
  "apiKeys.create": { body: { name: row("name", "text"), scopes: ["contacts:read"] } },
  "apiKeys.remove": one("apiKey"),

  "support.state": {},
  "support.allow": { body: { hours: 1 } },
  "support.end": one("supportRequest"),
  "support.ask": { body: { companyId: row("client") } },
  "support.enter": { body: { companyId: row("client"), password: "prosa123" }, ends: "ERR_SUPPORT_NOT_ALLOWED" },
  "support.leave": {},

  "auth.login": { body: { email: row("account", "email"), password: "prosa123" } },
  "auth.refresh": { ends: "ERR_NOT_SIGNED_IN" },
  "auth.logout": {},
  "auth.me": { ends: "ERR_NOT_SIGNED_IN" },
  "auth.storeKey": {},

  "botPreview.turn": [
    { body: { queueId: row("queue"), text: "oi" } },
    { body: { connectionId: row("line"), text: "oi", state: { queueId: 1, path: [0], isOver: false } } },
  ],

  "campaigns.list": {},
  "campaigns.get": one("campaign"),
  "campaigns.create": [
    {
      body: {
        name: "Natal",
        message1: "Oi {nome}",
        scheduledAt: "2099-01-01T12:00:00Z",
        whatsappId: row("line"),
        whatsappIds: [row("line")],
        contactListId: row("contactList"),
      },
    },
    { body: { name: "Natal", tagListId: row("tag"), fileListId: row("fileList") } },
  ],
  "campaigns.update": [
    {
      ...one("campaign"),
      body: { name: "Natal", whatsappId: row("line"), whatsappIds: [row("line")], tagListId: row("tag") },
    },
    { ...one("campaign"), body: { contactListId: row("contactList"), fileListId: row("fileList") } },
  ],
  "campaigns.remove": one("campaign"),
  "campaigns.cancel": one("runningCampaign"),
  "campaigns.restart": one("cancelledCampaign"),
  "campaigns.clone": one("campaign"),
  "campaigns.test": { ...one("campaign"), body: { number: "5511988887777" } },
  "campaigns.upload": { ...one("campaign"), file: "picture" },
  "campaigns.removeMedia": one("campaign"),
  "campaigns.recipients": one("campaign"),
  "campaigns.timeline": one("campaign"),
  "campaigns.export": [one("campaign"), { ...one("campaign"), query: { format: "xlsx" } }],
  "campaignSettings.list": {},
  "campaignSettings.save": {
    body: {
      settings: {
        messageInterval: 10,
        longerIntervalAfter: 20,
        greaterInterval: 60,
        variables: [{ key: "cupom", value: "NATAL10" }],
      },
    },
  },

  "chats.list": {},
  "chats.byUuid": { params: { uuid: row("chat", "uuid") } },
  "chats.create": { body: { title: row("name", "text"), users: [{ id: row("colleague") }] } },
  "chats.update": { ...one("chat"), body: { title: "Turno da tarde", users: [{ id: row("colleague") }] } },
  "chats.remove": one("chat"),
  "chats.messages": { params: { id: row("chat") }, query: { before: filter("chatMessage") } },
  "chats.send": { ...one("chat"), body: { message: "Bom dia" } },
  "chats.read": { ...one("chat"), body: { userId: ignored("self") } },

  "companies.list": { operatorReaches: true },
  "companies.lookup": { operatorReaches: true },
  "companies.create": {
    body: { name: row("name", "text"), email: row("name", "email"), planId: row("plan"), password: "prosa123" },
  },
  "companies.update": { ...one("client"), body: { planId: row("plan"), recurrence: "ANUAL" } },
  "companies.remove": one("client"),
  "companies.get": { ...one("company"), operatorReaches: true },
  "companies.saveSchedules": { ...one("company"), body: { id: ignored("company"), schedules: days } },
  "companies.account": one("company"),
  "companies.saveAccount": { ...one("company"), body: { billingName: "Aurora Ltda" } },
  "companies.saveLocale": { ...one("company"), body: { timeZone: "America/Manaus", language: "es" } },
  "companies.listPlan": { params: { companyId: row("company") }, operatorReaches: true },

  "connections.list": { query: { companyId: filter("company") } },
  "connections.get": one("line"),
  "connections.create": {
    plan: "useOpenAi",
    body: {
      name: row("name", "text"),
      greetingMessage: "Olá",
      queueIds: [row("queue")],
      transferQueueId: row("queue"),
      promptId: row("prompt"),
      integrationId: row("integration"),
    },
  },
  "connections.update": {
    ...one("line"),
    plan: "useOpenAi",
    body: {
      greetingMessage: "Oi",
      queueIds: [row("queue")],
      transferQueueId: row("queue"),
      promptId: row("prompt"),
      integrationId: row("integration"),
    },
  },
  "connections.remove": one("line"),
  "connections.start": one("line"),
  "connections.renew": { ...one("line"), body: { number: "5511988887777" } },
  "connections.number": { ...one("line"), body: { accept: false }, ends: "ERR_WAPP_NOT_INITIALIZED" },
  "connections.stop": one("line"),
  "connections.log": one("line"),
  "connections.health": one("line"),

  "contactLists.list": { query: { searchParam: "a", pageNumber: 1 } },
  "contactLists.lookup": { query: { companyId: filter("company") } },
  "contactLists.get": one("contactList"),
  "contactLists.create": { body: { name: row("name", "text") } },
  "contactLists.update": { ...one("contactList"), body: { name: row("name", "text") } },
  "contactLists.remove": one("contactList"),
  "contactLists.upload": { ...one("contactList"), file: "table" },
  "contactLists.latestImport": one("contactList"),
  "contactLists.cancelImport": one("contactList"),
  "contactLists.refusedRows": one("contactList"),
  "contactLists.fill": { ...one("contactList"), body: { tagIds: [row("tag")], searchParam: "a" } },
  "contactLists.check": { ...one("contactList"), body: { again: true } },
  "contactListItems.list": { query: { contactListId: row("contactList"), searchParam: "" } },
  "contactListItems.get": one("contactListItem"),
  "contactListItems.create": {
    body: { name: "Ana Luz", number: row("name", "number"), contactListId: row("contactList") },
  },
  "contactListItems.update": { ...one("contactListItem"), body: { name: "Ana Lima" } },
  "contactListItems.remove": one("contactListItem"),

  "contacts.list": { query: { searchParam: "a" } },
  "contacts.lookup": { query: { companyId: filter("company") } },
  "contacts.export": {},
  "chatImports.preview": { ...one("contact"), file: "chat" },
  "chatImports.start": { ...one("contact"), body: { me: "Loja" }, file: "chat" },
  "chatImports.list": one("contact"),

  "contactImports.start": [{ file: "table" }, {}],
  "contactImports.preview": { file: "table" },
  "contactImports.latest": {},
  "contactImports.cancel": one("import"),
  "contacts.get": one("contact"),
  "contacts.create": { body: { name: "Rosa", number: row("name", "number") } },
  "contacts.update": { ...one("contact"), body: { name: "Rosa" } },
  "contacts.remove": one("contact"),
  "contacts.block": { ...one("contact"), body: { blocked: true } },
  "contacts.merge": { ...one("contact"), body: { contactId: row("otherContact") } },
  "contacts.undoMerge": one("merge"),

  "dashboard.figures": { query: { days: 7, products: [filter("product")] } },
  "dashboard.ticketsUsers": { query: { ...someDays, companyId: filter("company") } },
  "dashboard.ticketsDay": { query: { ...someDays, companyId: filter("company") } },

  "doctor.examine": {},
  "doctor.testMail": {},
  "deadJobs.list": { operatorReaches: true },
  "connections.refusedVersions": { operatorReaches: true },
  "deadJobs.retry": one("deadJob"),
  "deadJobs.remove": one("deadJob"),

  "firstStepsCalls.get": {},
  "firstStepsCalls.hide": { body: { isHidden: true } },

  "fileLists.list": [{}, { query: { searchParam: "a", pageNumber: 2 } }, { query: { companyId: filter("company") } }],
  "fileLists.get": one("fileList"),
  "fileLists.create": {
    body: {
      name: "Catálogo",
      message: "Veja",
      options: [{ id: ignored("fileList", "option_id"), name: "Frente" }],
      userId: ignored("self"),
    },
  },
  "fileLists.update": {
    ...one("fileList"),
    body: {
      name: "Tabela",
      options: [{ id: ignored("fileList", "option_id"), name: "Verso" }],
      knownOptionIds: [ignored("fileList", "option_id")],
      userId: ignored("self"),
    },
  },
  "fileLists.remove": one("fileList"),
  "fileLists.upload": { ...one("fileList"), file: "picture" },

  "helps.list": {},
  "helps.lookup": {},
  "helps.create": { body: { title: "Primeiros passos", video: "dQw4w9WgXcQ" } },
  "helps.update": { ...one("help"), body: { title: "Primeiros passos" } },
  "helps.remove": one("help"),

  // the walk has an operator
  "setup.state": { ends: "ERR_NO_SETUP_FOUND" },
  "setup.create": {
    body: { code: "nobody's", name: "Robô", email: "robot@example.com", password: "prosa1234", company: "Robôs" },
    ends: "ERR_NO_SETUP_FOUND",
  },
  "signUps.form": { query: { companyId: filter("company") } },
  "signUps.create": {
    body: {
      name: "Empresa Robô",
      email: "robot@example.com",
      password: "prosa123",
      planId: filter("plan"),
      companyId: filter("company"),
      website: "x",
    },
    ends: "ERR_SIGN_UP_REFUSED",
  },
  "signUps.confirmEmail": { body: { token: "nobody's" }, ends: "ERR_CONFIRMATION_LINK" },
  "passwordResets.request": { params: { email: "nobody@example.com" }, ends: "ERR_NO_EMAIL_FOUND" },
  "passwordResets.reset": {
    body: { email: "nobody@example.com", token: "nobody's", password: "Prosa123" },
    ends: "ERR_RESET_CODE",
  },
  "passwordResets.resetByPath": {
    params: { email: "nobody@example.com", token: "nobody's", password: "Prosa123" },
    ends: "ERR_RESET_CODE",
  },
  "invoices.list": {},
  "invoices.all": {},
  "invoices.get": one("invoice"),
  "invoices.settings": {},
  "invoices.saveSettings": { body: { provider: "static", graceDays: 0 } },
  "invoices.summary": {},
  "invoices.companies": { operatorReaches: true },
  "invoices.ofCompany": { params: { companyId: row("client") } },
  "invoices.markPaid": { ...one("clientInvoice"), body: { note: "Transferência" } },
  "invoices.takeBack": { ...one("markedInvoice"), query: { markId: row("markedInvoice", "markId") } },
  "invoices.efiWebhook": { params: { secret: "guessed" }, body: { pix: [] }, ends: "ERR_NOT_FOUND" },
  "invoices.efiPixWebhook": { params: { secret: "guessed" }, body: { pix: [] }, ends: "ERR_NOT_FOUND" },
  "invoices.asaasWebhook": { body: { event: "PAYMENT_RECEIVED" }, ends: "ERR_NOT_FOUND" },
  "subscription.next": {},
  "subscription.create": { body: { invoiceId: row("invoice") }, ends: "ERR_PIX_NOT_SET_UP" },

  "invitations.create": { body: { email: row("name", "email"), queueIds: [row("queue")] } },
  "invitations.renew": one("invited"),
  "invitations.cancel": one("invited"),
  "invitations.open": { body: { token: "nobody's" }, ends: "ERR_NO_INVITATION_FOUND" },
  "invitations.accept": {
    body: { token: "nobody's", name: "Paula", password: "prosa123" },
    ends: "ERR_NO_INVITATION_FOUND",
  },

  "kanban.cards": [
    { query: { queueIds: [filter("queue")], laneId: filter("lane") } },
    { query: { searchParam: "a", laneId: 0 } },
  ],
  "kanban.counts": { query: { queueIds: [filter("queue")] } },
  "kanban.moveToLane": { params: { ticketId: row("ticket"), tagId: row("lane") } },
  "kanban.moveToOpenLane": ofTicket,
  "kanban.orderLanes": { body: { tagIds: [row("lane")] } },

  "messages.list": {
    params: { ticketId: row("message", "ticket_id") },
    // An unknown id in `after` or `upTo` is a valid query.
    query: { before: row("message"), upTo: filter("message"), after: filter("message") },
  },
  "messages.send": [
    { ...ofTicket, body: { body: "Bom dia" } },
    { ...ofTicket, body: { body: "A foto" }, file: "picture" },
    {
      params: { ticketId: row("message", "ticket_id") },
      body: { body: "Sim", quotedMsg: { id: ignored("message") }, quotedMsgId: ignored("message") },
    },
  ],
  "messages.edit": { ...ofMessage, body: { body: "Boa tarde" } },
  "messages.react": { ...ofMessage, body: { emoji: "👍" } },
  "messages.retry": ofFailed,
  "messages.refetchMedia": { params: { messageId: row("lostFile") } },
  "messages.history": ofMessage,
  "messages.remove": ofMessage,
  "messages.markRead": ofTicket,
  "messagesApi.send": {
    body: { number: "5511988887777", body: "Oi", queueId: row("queue"), userId: row("colleague") },
  },
  "messagesApi.get": { params: { messageId: "00000000-0000-4000-8000-000000000000" } },

  "notes.list": [{ query: { ticketId: row("ticket") } }, { query: { contactId: row("ticket", "contact_id") } }],
  "notes.create": {
    body: { note: "Prefere Pix", ticketId: row("ticket"), contactId: row("ticket", "contact_id") },
  },
  "notes.remove": one("note"),

  "plans.list": {},
  "plans.lookup": {},
  "plans.all": {},
  "plans.get": one("plan"),
  "plans.create": { body: { name: row("name", "text") } },
  "plans.update": { ...one("plan"), body: { users: 3 } },
  "plans.remove": one("plan"),

  "companyExports.list": {},
  "companyExports.start": {},
  "companyExports.link": one("companyExport"),
  "companyExports.remove": one("companyExport"),

  "privacy.erase": { params: { id: row("contact") }, body: { confirmation: row("contact", "number") } },
  "privacy.export": one("contact"),
  "privacy.exports": one("contact"),
  "privacy.download": one("contactExport"),
  "privacy.erasures": {},
  "privacy.retention": {},
  "privacy.previewRetention": { body: { companyDays: 365, queues: [{ id: filter("queue"), days: 30 }] } },
  "privacy.saveRetention": { body: { companyDays: null, queues: [{ id: row("queue"), days: 30 }] } },

  "products.list": {},
  "products.lookup": { query: { companyId: filter("company") } },
  "products.get": one("product"),
  "products.create": { body: { name: row("name", "text") } },
  "products.update": { ...one("product"), body: { type: "Serviço" } },
  "products.remove": one("product"),
  "products.ofTicket": ofTicket,
  "products.addToTicket": { params: { ticketId: row("ticket"), productId: row("product") } },
  "products.takeFromTicket": { params: sold },

  "knowledge.list": {},
  "knowledge.get": one("knowledge"),
  "knowledge.create": { body: { name: row("name", "text"), text: "Abrimos às 8 h.", promptIds: [row("prompt")] } },
  "knowledge.update": { ...one("knowledge"), body: { isForAll: false, promptIds: [row("prompt")] } },
  "knowledge.upload": { ...one("knowledgeFile"), file: "text" },
  "knowledge.remove": one("knowledge"),
  "knowledge.search": { body: { question: "Que horas abrem?", promptId: row("prompt") } },

  "prompts.list": {},
  "prompts.get": one("prompt"),
  // without a key: nobody's draft is asked for at a real service
  "prompts.create": { body: { name: row("name", "text"), prompt: "Ajude", queueId: row("queue") } },
  "prompts.test": { ...one("prompt"), body: { texts: [{ fromMe: false, text: "oi" }] } },
  "prompts.update": { ...one("prompt"), body: { queueId: row("queue"), voiceKey: "v-1" } },
  "prompts.remove": one("prompt"),

  "push.key": {},
  "push.subscribe": { body: { endpoint: browser, keys: { p256dh: "B".repeat(87), auth: "A".repeat(22) } } },
  "push.unsubscribe": { body: { endpoint: browser } },
  "push.test": {},

  "queueIntegrations.list": {},
  "queueIntegrations.lookup": {},
  "queueIntegrations.get": one("integration"),
  "queueIntegrations.create": { body: { type: "n8n", name: row("name", "text"), urlN8N: "https://n8n.example.com/w" } },
  "queueIntegrations.update": { ...one("integration"), body: { language: "es" } },
  "queueIntegrations.remove": one("integration"),
  "queueIntegrations.renewSecret": one("signedIntegration"),
  "queueIntegrations.test": [
    { body: { jsonContent: '{"client_email":"a@b.example","private_key":"x"}' }, ends: "ERR_INTEGRATION_FAILED" },
    { body: { id: row("integration") }, ends: "ERR_INTEGRATION_FAILED" },
  ],
  "queueIntegrations.calls": one("integration"),
  "queueIntegrations.replay": {
    params: { id: row("integrationCall", "integration_id"), callId: row("integrationCall") },
  },

  "queueOptions.list": { query: { queueId: row("option", "queue_id"), parentId: filter("option") } },
  "queueOptions.tree": one("queue"),
  "queueOptions.create": {
    body: {
      queueId: row("option", "queue_id"),
      parentId: row("option"),
      title: "Preços",
      fileListId: row("fileList"),
    },
  },
  "queueOptions.update": {
    params: { id: row("option") },
    body: {
      title: "Valores",
      queueId: row("option", "queue_id"),
      parentId: row("option", "parent_id"),
      fileListId: row("fileList"),
    },
  },
  "queueOptions.remove": one("option"),
  "queueOptions.upload": { ...one("option"), file: "picture" },
  "queueOptions.removeMedia": one("option"),

  "queues.list": { query: { companyId: filter("company") } },
  "queues.get": one("queue"),
  "queues.create": {
    plan: "useOpenAi",
    body: {
      name: row("name", "text"),
      color: row("name", "color"),
      promptId: row("prompt"),
      integrationId: row("integration"),
    },
  },
  "queues.update": {
    ...one("queue"),
    plan: "useOpenAi",
    body: { greetingMessage: "Oi", promptId: row("prompt"), integrationId: row("integration") },
  },
  "queues.remove": one("queue"),

  "quickMessages.list": { query: { userId: filter("colleague") } },
  "quickMessages.lookup": { query: { companyId: filter("company"), userId: filter("colleague") } },
  "quickMessages.get": one("quickMessage"),
  "quickMessages.create": { body: { shortcode: "pix", message: "A chave" } },
  "quickMessages.update": { ...one("quickMessage"), body: { message: "Outra chave" } },
  "quickMessages.remove": one("quickMessage"),
  "quickMessages.upload": { ...one("quickMessage"), file: "picture" },
  "quickMessages.removeMedia": one("quickMessage"),

  "scheduledMessages.list": { query: { contactId: filter("contact") } },
  "scheduledMessages.get": one("schedule"),
  "scheduledMessages.create": {
    body: { body: "Até amanhã!", contactId: row("contact"), whatsappId: row("line"), sendAt: "2099-01-01T12:00:00Z" },
  },
  "scheduledMessages.update": {
    ...one("schedule"),
    body: { body: "Até logo!", contactId: row("contact"), whatsappId: row("line") },
  },
  "scheduledMessages.retry": one("schedule"),
  "scheduledMessages.upload": { ...one("schedule"), file: "picture" },
  "scheduledMessages.removeMedia": one("schedule"),
  "scheduledMessages.remove": one("schedule"),

  "optOuts.ofContact": one("contact"),
  "optOuts.set": { ...one("contact"), body: { note: "Pediu por telefone" } },
  "optOuts.takeBack": one("contact"),
  "sendingRulesApi.get": {},
  "sendingRulesApi.save": {
    body: {
      minGapSeconds: 5,
      hours: { isOn: true, weekdays: ["monday"], start: "09:00", end: "18:00" },
      lines: [{ whatsappId: row("line"), dailyCap: 100, warmUp: true }],
    },
  },
  "warmUpPlan.get": { operatorReaches: true },
  "warmUpPlan.save": { body: { steps: [{ day: 1, limit: 20 }] }, operatorReaches: true },

  "settings.list": {},
  "settings.save": [
    { params: { key: "userRating" }, body: { value: "enabled" } },
    { params: { key: "campaignsEnabled" }, body: { value: "true" }, needs: "super" },
    { params: { key: "userCreation" }, body: { value: "enabled" }, needs: "super" },
    { params: { key: "asaas" }, body: { value: "" }, needs: "super" },
  ],

  "simulator.people": { ...one("line"), ...noNetwork },
  "simulator.addPerson": { ...one("line"), body: { name: "Rosa" }, ...noNetwork },
  "simulator.chat": { params: person, ...noNetwork },
  "simulator.say": [
    { params: person, body: { body: "oi" }, ...noNetwork },
    { params: person, body: { body: "foto" }, file: "picture", ...noNetwork },
  ],
  "simulator.read": { params: person, ...noNetwork },
  "simulator.picture": { params: person, file: "picture", ...noNetwork },
  "simulator.addGroup": { ...one("line"), body: { name: "Obra", numbers: [person.number] }, ...noNetwork },
  "simulator.groupChat": { params: simGroup, ...noNetwork },
  "simulator.groupSay": [
    { params: simGroup, body: { number: person.number, body: "oi" }, ...noNetwork },
    { params: simGroup, body: { number: person.number }, file: "picture", ...noNetwork },
  ],
  "simulator.scan": { ...one("line"), ...noNetwork },
  "simulator.fault": { ...one("line"), body: { kind: "drop" }, ...noNetwork },
  "simulator.limit": { ...one("line"), body: { kind: "lift" }, ...noNetwork },
  "simulator.lively": { ...one("line"), body: { lively: true } },

  "storage.room": {},

  "tags.list": { query: { companyId: filter("company") } },
  "tags.lookup": { query: { companyId: filter("company") } },
  "tags.kanban": {},
  "tags.get": one("tag"),
  "tags.create": { body: { name: row("name", "text"), userId: row("self") } },
  "tags.update": { ...one("tag"), body: { color: "#112233", userId: row("self") } },
  "tags.remove": one("tag"),
  "tags.sync": { body: { ticketId: row("ticket"), tags: [{ id: row("tag") }] } },

  // The response lists the result per ticket: one of another company is not found.
  "ticketBulks.act": [
    { body: { ticketIds: [filter("ticket")], act: { verb: "resolve" } } },
    {
      body: {
        ticketIds: [filter("ticket")],
        act: { verb: "transfer", queueId: filter("homeQueue"), userId: filter("colleague") },
      },
    },
    { body: { ticketIds: [filter("ticket")], act: { verb: "tag", tagIds: [filter("tag")] } } },
  ],
  "ticketBulks.undo": { params: { bulkId: row("bulk") } },

  "tickets.list": {
    query: { tags: [filter("tag")], users: [filter("colleague")], queueIds: [filter("queue")], status: "open" },
  },
  "tickets.counts": { query: { queueIds: [filter("queue")] } },
  "tickets.transferTargets": {},
  "tickets.get": one("ticket"),
  "tickets.byUuid": { params: { uuid: row("ticket", "uuid") } },
  "tickets.episodes": one("ticket"),
  "tickets.create": {
    body: {
      contactId: row("contact"),
      queueId: row("homeQueue"),
      whatsappId: row("line"),
      userId: row("self"),
    },
  },
  "tickets.update": [
    { ...one("ticket"), body: { status: "closed" } },
    {
      ...one("ticket"),
      body: { queueId: row("homeQueue"), userId: row("colleague"), whatsappId: row("line"), note: "Quer o boleto" },
    },
    {
      ...one("ticket"),
      plan: "useOpenAi",
      body: { promptId: row("prompt"), integrationId: row("integration") },
    },
  ],
  "tickets.remove": one("ticket"),

  "twoFactor.signIn": { body: { ticket: "nobody's", code: "123456" }, ends: "ERR_NOT_SIGNED_IN" },
  "twoFactor.beginRequired": { body: { ticket: "nobody's" }, ends: "ERR_NOT_SIGNED_IN" },
  "twoFactor.confirmRequired": { body: { ticket: "nobody's", code: "123456" }, ends: "ERR_NOT_SIGNED_IN" },
  "twoFactor.state": {},
  "twoFactor.begin": { body: { password: "no account has it" }, ends: "ERR_WRONG_PASSWORD" },
  "twoFactor.confirm": { body: { code: "123456" }, ends: "ERR_SECOND_FACTOR_CODE" },
  "twoFactor.renewCodes": { body: { password: "no account has it" }, ends: "ERR_WRONG_PASSWORD" },
  "twoFactor.disable": { body: { password: "no account has it" }, ends: "ERR_WRONG_PASSWORD" },
  "twoFactor.reset": { ...one("colleague"), operatorReaches: true },
  "passkeys.list": {},
  "passkeys.begin": { body: { password: "no account has it" }, ends: "ERR_WRONG_PASSWORD" },
  "passkeys.add": { body: { name: "Celular", response: {} }, ends: "ERR_PASSKEY" },
  "passkeys.remove": { ...one("passkey"), body: { password: "prosa123" } },
  "passkeys.signInOptions": {},
  "passkeys.signIn": { body: { response: { id: "nobody's" } }, ends: "ERR_PASSKEY" },
  "twoFactor.sessions": {},
  "twoFactor.endSession": { params: { id: "00000000-0000-4000-8000-000000000000" }, ends: "ERR_NOT_FOUND" },

  "users.lookup": { query: { companyId: filter("company") } },
  "users.list": {},
  "users.get": one("self"),
  "users.create": {
    body: {
      name: "Paula",
      email: row("name", "email"),
      password: "prosa123",
      whatsappId: row("line"),
      queueIds: [row("queue")],
    },
  },
  "users.update": [
    { ...one("self"), body: { name: "Paula" } },
    {
      ...one("colleague"),
      body: { whatsappId: row("line"), queueIds: [row("queue")] },
      needs: "user-modal:editQueues",
    },
    { ...one("chief"), body: { password: "taken over" }, needs: "super" },
    { ...one("chief"), body: { email: row("name", "email"), profile: "user", queueIds: [] }, needs: "super" },
  ],
  "users.remove": [one("colleague"), { ...one("chief"), needs: "super" }],

  "version.get": {},

  "webhooks.list": {},
  "webhooks.get": one("webhook"),
  "webhooks.create": { body: { url: "https://hooks.example.com/in", events: ["message.created"] } },
  "webhooks.update": { ...one("webhook"), body: { url: "https://hooks.example.com/in", events: ["ticket.updated"] } },
  "webhooks.renewSecret": one("webhook"),
  "webhooks.test": one("webhook"),
  "webhooks.deliveries": one("webhook"),
  "webhooks.replay": { params: { id: row("deliveredWebhook", "endpoint_id"), deliveryId: row("deliveredWebhook") } },
  "webhooks.remove": one("webhook"),
};
