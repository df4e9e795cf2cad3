import { flag, maybe, none, number, refusal, some, someText, text } from "../format/kinds.ts";
import type { SpecifiedRequest } from "../format/table.ts";

/** Specification 2, section 3; keys are write-only (behaviour 6). */
const prompt = {
  id: number,
  name: text,
  prompt: text,
  voice: text,
  voiceRegion: maybe(text),
  maxTokens: number,
  temperature: number,
  queueId: "{queue}",
  maxMessages: number,
  queue: { name: "Suporte" },
};

const integration = {
  id: number,
  type: text,
  name: text,
  projectName: maybe(text),
  language: maybe(text),
  urlN8N: maybe(text),
  typebotDelayMessage: maybe(number),
  typebotExpires: maybe(number),
  typebotKeywordFinish: maybe(text),
  typebotKeywordRestart: maybe(text),
  typebotRestartMessage: maybe(text),
  typebotSlug: maybe(text),
  typebotUnknownMessage: maybe(text),
};

const promptFields = {
  name: "Vendedora",
  prompt: "Você vende bolos.",
  voice: "text",
  voiceKey: "",
  voiceRegion: "",
  maxTokens: 100,
  temperature: 1,
  apiKey: "sk-secret",
  queueId: "{queueText}",
  maxMessages: 10,
};

/** The family's dialog sends every field of every type. */
const integrationFields = {
  type: "typebot",
  name: "Fluxo",
  projectName: "Fluxo",
  jsonContent: "",
  language: "",
  urlN8N: "https://typebot.example.com",
  typebotDelayMessage: 1000,
  typebotExpires: 1,
  typebotKeywordFinish: "",
  typebotKeywordRestart: "",
  typebotRestartMessage: "",
  typebotSlug: "fluxo",
  typebotUnknownMessage: "",
};

/** Specification 2, sections 5 and 7. */
export const assistants: readonly SpecifiedRequest[] = [
  {
    request: "POST /prompt",
    proves: "the dialog's assistant, the queue chosen in a list of texts (O-08, E-03)",
    send: promptFields,
    holds: { id: number, name: "Vendedora", queueId: "{queue}" },
    keep: { prompt: "id" },
    hears: [
      { channel: "company-{company}-prompt", holds: { action: "create", record: { ...prompt, id: "{prompt}" } } },
    ],
  },
  {
    request: "POST /prompt",
    proves: "texts in the number fields are numbers (O-08, E-03)",
    send: { ...promptFields, name: "Vendedor", maxTokens: "150", temperature: "0.5", maxMessages: "5" },
    holds: { maxTokens: 150, temperature: 0.5, maxMessages: 5 },
    keep: { otherPrompt: "id" },
  },
  {
    request: "POST /prompt",
    proves: "without a queue it is refused in a sentence (O-08, E-03)",
    send: { ...promptFields, queueId: "" },
    status: 400,
    holds: refusal("ERR_VALIDATION"),
  },
  {
    request: "GET /prompt",
    proves: "the list is called prompts (O-08)",
    holds: { prompts: some({ ...prompt, id: "{prompt}" }) },
  },
  {
    request: "GET /prompt/{prompt}",
    proves: "the dialog opens, without its keys (O-08)",
    holds: prompt,
    keep: { record: "" },
  },
  {
    request: "PUT /prompt/{prompt}",
    proves: "the record whole, as it was read, goes back (O-08, E-03)",
    send: "{record}",
    after: [{ get: "/prompt/{prompt}", holds: { name: "Vendedora", maxTokens: 100 } }],
  },
  {
    request: "PUT /prompt/{prompt}",
    proves: "a change is stored and told (O-08)",
    send: { ...promptFields, id: "{prompt}", name: "Atendente" },
    after: [{ get: "/prompt", holds: { prompts: some({ id: "{prompt}", name: "Atendente" }) } }],
    hears: [
      {
        channel: "company-{company}-prompt",
        holds: { action: "update", record: { id: "{prompt}", name: "Atendente" } },
      },
    ],
  },
  {
    request: "DELETE /prompt/{prompt}",
    proves: "answers with a message, and is told (O-08)",
    holds: { message: someText },
    after: [{ get: "/prompt", holds: { prompts: none({ id: "{prompt}" }) } }],
    hears: [{ channel: "company-{company}-prompt", holds: { action: "delete", id: "{prompt}" } }],
  },
  {
    request: "POST /queueIntegration",
    proves: "typebot with every field of the dialog (O-09, E-03)",
    send: integrationFields,
    holds: { ...integration, type: "typebot", typebotSlug: "fluxo" },
    keep: { flow: "id" },
    hears: [
      {
        channel: "company-{company}-queueIntegration",
        holds: { action: "create", record: { id: "{flow}", name: "Fluxo" } },
      },
    ],
  },
  ...["n8n", "webhook"].map((type): SpecifiedRequest => ({
    request: "POST /queueIntegration",
    proves: `${type}: name and URL (O-09, E-03)`,
    send: { ...integrationFields, type, name: `Fluxo ${type}`, projectName: `Fluxo ${type}`, typebotSlug: "" },
    holds: { ...integration, type },
  })),
  {
    request: "POST /queueIntegration",
    proves: "dialogflow: project, language, key file as text (O-09, E-03)",
    send: {
      ...integrationFields,
      type: "dialogflow",
      name: "Agente",
      projectName: "padaria",
      jsonContent: '{"client_email":"a@b.example","private_key":"x"}',
      language: "pt-BR",
      urlN8N: "",
      typebotSlug: "",
    },
    holds: { ...integration, type: "dialogflow", projectName: "padaria", language: "pt-BR" },
  },
  {
    request: "POST /queueIntegration",
    proves: "n8n without its URL is refused in a sentence (O-09, E-03)",
    send: { ...integrationFields, type: "n8n", urlN8N: "" },
    status: 400,
    holds: refusal("ERR_VALIDATION"),
  },
  {
    request: "GET /queueIntegration/?searchParam=&pageNumber=1",
    proves: "a page called queueIntegrations (O-09, T-23)",
    holds: { queueIntegrations: some({ ...integration, id: "{flow}" }), count: number, hasMore: flag },
  },
  {
    request: "GET /queueIntegration",
    proves: "without parameters (O-09)",
    holds: { queueIntegrations: some({ id: "{flow}" }) },
  },
  {
    request: "GET /queueIntegration/{flow}",
    proves: "the dialog opens (O-09)",
    holds: integration,
    keep: { record: "" },
  },
  {
    request: "PUT /queueIntegration/{flow}",
    proves: "the record whole, as it was read, goes back (O-09, E-03)",
    send: "{record}",
    after: [{ get: "/queueIntegration/{flow}", holds: { name: "Fluxo", typebotSlug: "fluxo" } }],
  },
  {
    request: "PUT /queueIntegration/{flow}",
    proves: "a change is stored and told (O-09)",
    send: { ...integrationFields, id: "{flow}", name: "Fluxo novo", projectName: "Fluxo novo" },
    after: [{ get: "/queueIntegration/{flow}", holds: { name: "Fluxo novo" } }],
    hears: [
      {
        channel: "company-{company}-queueIntegration",
        holds: { action: "update", record: { id: "{flow}", name: "Fluxo novo" } },
      },
    ],
  },
  {
    request: "POST /queueIntegration/testSession",
    proves: "an account that Google cannot know is refused in a sentence, with the reason (O-09)",
    send: {
      projectName: "padaria",
      jsonContent: '{"client_email":"a@b.example","private_key":"x"}',
      language: "pt-BR",
    },
    status: 400,
    holds: { error: "ERR_INTEGRATION_FAILED", message: someText, details: { reason: "bad account" } },
  },
  {
    request: "POST /queueIntegration/testSession",
    proves: "without an account it is refused (O-09)",
    send: { projectName: "padaria", jsonContent: "", language: "" },
    status: 400,
    holds: refusal("ERR_VALIDATION"),
  },
  {
    request: "DELETE /queueIntegration/{flow}",
    proves: "is gone, and told (O-09)",
    after: [{ get: "/queueIntegration", holds: { queueIntegrations: none({ id: "{flow}" }) } }],
    hears: [{ channel: "company-{company}-queueIntegration", holds: { action: "delete", id: "{flow}" } }],
  },
];
