import { expect, test } from "vitest";
import type { z } from "zod";
import * as contract from "./index.ts";
import type { AnyEndpoint } from "./endpoint.ts";
import { fieldName } from "./fields.i18n.ts";
import { findingText } from "./validation.i18n.ts";
import type { Finding } from "./validation.i18n.ts";

const short = { code: "too_small", origin: "string", minimum: 2, message: "Too Short!" };
const long = { code: "too_big", origin: "string", maximum: 50, message: "Too Long!" };

/** Specification 1 and 2, section 5. */
test.each<[Finding, pt: string, en: string, es: string]>([
  [
    short,
    "Muito curto! Ao menos 2 caracteres",
    "Too Short! At least 2 characters",
    "¡Demasiado corto! Al menos 2 caracteres",
  ],
  [
    long,
    "Muito longo! No máximo 50 caracteres",
    "Too Long! At most 50 characters",
    "¡Demasiado largo! Como máximo 50 caracteres",
  ],
  [{ ...short, isEmpty: true }, "Obrigatório", "Required", "Obligatorio"],
  [{ message: "Invalid email", code: "invalid_format" }, "E-mail inválido", "Invalid email", "Correo inválido"],
  [
    { ...short, minimum: 5, message: "Mensagem muito curta" },
    "Mensagem muito curta. Ao menos 5 caracteres",
    "Message too short. At least 5 characters",
    "Mensaje demasiado corto. Al menos 5 caracteres",
  ],
  [
    { code: "too_small", origin: "array", minimum: 1, message: "Too small: expected array to have >=1 items" },
    "Escolha ao menos 1",
    "Choose at least 1",
    "Elija al menos 1",
  ],
  [
    {
      code: "too_small",
      origin: "string",
      minimum: 1,
      message: "Por favor, preencha o título da conversa.",
      isEmpty: true,
    },
    "Por favor, preencha o título da conversa.",
    "Please give the chat a title.",
    "Por favor, escriba el título de la conversación.",
  ],
  [
    { code: "custom", message: "Parametrize o filtro" },
    "Parametrize o filtro",
    "Choose a period or dates",
    "Elija un período o fechas",
  ],
  [
    { code: "invalid_type", message: "Invalid input: expected number" },
    "Valor inválido",
    "Invalid value",
    "Valor inválido",
  ],
  [
    {
      code: "too_small",
      origin: "number",
      minimum: 0,
      inclusive: false,
      message: "Too small: expected number to be >0",
    },
    "Valor inválido",
    "Invalid value",
    "Valor inválido",
  ],
  [{ message: "Only with a transfer" }, "Só ao transferir", "Only with a transfer", "Solo al transferir"],
  [{ code: "custom", message: "Not a JSON array" }, "JSON inválido", "Invalid JSON", "JSON inválido"],
])("%j is said in the specification's words (E-03, S-08)", (finding, pt, en, es) => {
  expect([findingText(finding, "pt"), findingText(finding, "en"), findingText(finding, "es")]).toEqual([pt, en, es]);
});

/** What clients send for the wire, and no person fills in. */
const technical = new Set(
  `active again ahead auth accept bulkId clientId edit endpoint event fileId fromMe id isClosed isForAll isGeral keys kind knownClientIds knownExtraInfo knownOptionIds knownVariables lively markId me mediaType p256dh path peek react read revoke
  asaas efi plan useAddressForPaymentDetails session showAll state typeArch upTo uuid verb withUnread withUnreadMessages after before messageId group blocked
  useCampaigns useExternalApi useIntegration useIntegrations useInternalChat useKanban useOpenAi useSchedules`.split(
    /\s+/u,
  ),
);

test("every field that a refusal may name has a name in three languages (E-01, S-08)", () => {
  const fields = Object.values(contract)
    .flatMap((noun): unknown[] => (typeof noun === "object" ? Object.values(noun) : []))
    .filter((each): each is AnyEndpoint => typeof each === "object" && each !== null && "method" in each)
    .flatMap(({ body, query, files }) => [...namesIn(body), ...namesIn(query), ...(files ? [files.field] : [])]);
  const nameless = [...new Set(fields)].filter(
    (field) => !technical.has(field) && fieldName(field, "es") === undefined,
  );
  expect(fields.length).toBeGreaterThan(100);
  expect(nameless).toEqual([]);
});

test("a field inside a list has the name of its own, and an unknown one none (E-01)", () => {
  expect(fieldName("extraInfo.0.value", "pt")).toBe("Valor");
  expect(fieldName("queueIds.3", "en")).toBe("Queues");
  expect([fieldName("settings.variables.0.key", "pt"), fieldName("key", "pt")]).toEqual(["Atalho", "Configuração"]);
  expect(fieldName("constructor", "en")).toBeUndefined();
});

function namesIn(schema: z.core.$ZodType | undefined): string[] {
  const def = (schema as z.core.$ZodTypes | undefined)?._zod.def;
  switch (def?.type) {
    case "object":
      return Object.entries(def.shape).flatMap(([name, field]) => [name, ...namesIn(field)]);
    case "optional":
    case "default":
    case "nullable":
      return namesIn(def.innerType);
    case "array":
      return namesIn(def.element);
    case "union":
      return def.options.flatMap(namesIn);
    case "pipe":
      return namesIn(def.in);
    default:
      return [];
  }
}
