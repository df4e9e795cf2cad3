/** The contract's rules say in English what is wrong (specification 1 section 5); here are the words for the field. */
import { defineMessages, translator, type Language } from "./i18n.ts";

const messages = defineMessages({
  pt: {
    required: "Campo obrigatório",
    tooShort: "Muito curto",
    tooLong: "Muito longo",
    minLength: { one: "Ao menos {count} caractere", other: "Ao menos {count} caracteres" },
    maxLength: { one: "No máximo {count} caractere", other: "No máximo {count} caracteres" },
    minNumber: "Deve ser {limit} ou mais",
    maxNumber: "Deve ser {limit} ou menos",
    email: "Email inválido",
    time: "Use o formato HH:MM",
    taken: "Já está em uso",
    noQueue: "Informe o setor",
    address: "Endereço inválido: comece com https://",
    privateAddress: "Endereços de redes internas não são aceitos",
    json: "JSON inválido",
    botWord: "0, #, sair, exit e salir são do robô",
    invalid: "Valor inválido",
  },
  en: {
    required: "Required",
    tooShort: "Too short",
    tooLong: "Too long",
    minLength: { one: "At least {count} character", other: "At least {count} characters" },
    maxLength: { one: "At most {count} character", other: "At most {count} characters" },
    minNumber: "Must be {limit} or more",
    maxNumber: "Must be {limit} or less",
    email: "Invalid email",
    time: "Use the format HH:MM",
    taken: "Already in use",
    noQueue: "Choose the department",
    address: "Invalid address: begin with https://",
    privateAddress: "Addresses of private networks are not accepted",
    json: "Invalid JSON",
    botWord: "0, #, sair, exit and salir are the bot's",
    invalid: "Invalid value",
  },
  es: {
    required: "Campo obligatorio",
    tooShort: "Demasiado corto",
    tooLong: "Demasiado largo",
    minLength: { one: "Al menos {count} carácter", other: "Al menos {count} caracteres" },
    maxLength: { one: "Como máximo {count} carácter", other: "Como máximo {count} caracteres" },
    minNumber: "Debe ser {limit} o más",
    maxNumber: "Debe ser {limit} o menos",
    email: "Correo inválido",
    time: "Use el formato HH:MM",
    taken: "Ya está en uso",
    noQueue: "Informe el sector",
    address: "Dirección inválida: comience con https://",
    privateAddress: "No se aceptan direcciones de redes internas",
    json: "JSON inválido",
    botWord: "0, #, sair, exit y salir son del bot",
    invalid: "Valor inválido",
  },
});

/** What a schema found wrong with one value. */
export interface Finding {
  readonly code?: string | undefined;
  readonly message: string;
  readonly origin?: string | undefined;
  readonly minimum?: number | bigint | undefined;
  readonly maximum?: number | bigint | undefined;
  readonly isEmpty?: boolean;
}

/** One sentence for the field. Portuguese sentences of the specification pass as they are. */
export function findingText(finding: Finding, language: Language): string {
  const t = translator(messages, language);
  const { code, origin, minimum, maximum } = finding;
  // specification 2 section 5: its own words for a prompt without a queue
  if (finding.message === "Informe o setor") {
    return t("noQueue");
  }
  if (finding.message === "Required" || finding.isEmpty) {
    return t("required");
  }
  if (code === "too_small" && minimum !== undefined) {
    return origin === "string"
      ? t("minLength", { count: Number(minimum) })
      : t("minNumber", { limit: Number(minimum) });
  }
  if (code === "too_big" && maximum !== undefined) {
    return origin === "string"
      ? t("maxLength", { count: Number(maximum) })
      : t("maxNumber", { limit: Number(maximum) });
  }
  const known: Record<string, () => string> = {
    "Too Short!": () => t("tooShort"),
    "Too Long!": () => t("tooLong"),
    "Invalid email": () => t("email"),
    "HH:MM": () => t("time"),
    "Already in use": () => t("taken"),
    "Invalid address": () => t("address"),
    "Private address": () => t("privateAddress"),
    "Invalid JSON": () => t("json"),
    "Word of the bot": () => t("botWord"),
  };
  return known[finding.message]?.() ?? (finding.code === "custom" ? finding.message : t("invalid"));
}
