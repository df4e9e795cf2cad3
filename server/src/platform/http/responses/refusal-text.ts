import { serverErrorWords } from "@prosa/contract/server-errors.i18n";
import { fieldName } from "@prosa/contract/fields.i18n";
import { translator } from "@prosa/contract/i18n";
import type { Language } from "@prosa/contract/i18n";
import { serverRuleText } from "@prosa/contract/server-rules.i18n";
import { subscriptionMessages } from "@prosa/contract/subscription.i18n";
import { findingText } from "@prosa/contract/validation.i18n";
import type { AppError } from "../../ctx.ts";
import { InputError } from "../requests/index.ts";
import { tokenRefusalMessages } from "./token-refusal.i18n.ts";

/** Fields that one sentence names. */
const maxNamedFields = 3;

/** What a refusal tells a person, in their language (behaviour 1). Refused input names its fields and the rules that they break. */
export function refusalText(error: AppError, language: Language): string {
  const { message, dueDate, token } = error.details ?? {};
  if (typeof message === "string" && error.code === "ERR_VALIDATION") {
    // or a sentence in their language already, as of a file that cannot be imported
    return serverRuleText(message, language) ?? message;
  }
  if (error.code === "ERR_SUBSCRIPTION_EXPIRED" && typeof dueDate === "string") {
    const date = dueDate.split("-").toReversed().join("/");
    return translator(subscriptionMessages, language)("expired", { date });
  }
  if (error.code === "ERR_NOT_SIGNED_IN" && (token === "missing" || token === "unknown" || token === "key")) {
    return translator(tokenRefusalMessages, language)(token);
  }
  const fields = error.code === "ERR_VALIDATION" ? error.details?.["fields"] : undefined;
  const broken = fields !== null && typeof fields === "object" ? Object.entries(fields) : [];
  return broken.length === 0
    ? serverErrorWords[language][error.code]
    : broken
        .slice(0, maxNamedFields)
        .map(([path, rule]) => fieldText(error, path, String(rule), language))
        .join("; ");
}

function fieldText(error: AppError, path: string, rule: string, language: Language): string {
  const finding = error instanceof InputError ? error.findings.get(path) : undefined;
  const text = serverRuleText(rule, language) ?? findingText(finding ?? { message: rule }, language);
  // A rule of the whole query or body is a sentence by itself.
  return path === "body" && finding?.isWhole ? text : `${fieldName(path, language) ?? path}: ${text}`;
}
