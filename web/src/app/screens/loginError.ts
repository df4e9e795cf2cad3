/** Which text does a failed sign-in show?; pure. */
import { subscriptionMessages } from "@prosa/contract/subscription.i18n";
import { ApiError } from "#web/lib/api/apiError.ts";
import { errorText } from "#web/lib/api/errors.i18n.ts";
import { createFormat } from "#web/lib/text/format.ts";
import { translator, type Language } from "#web/lib/text/i18n.ts";
import { loginMessages } from "./login.i18n.ts";

/** Error codes whose own text helps more than "Erro ao fazer login". */
const telling = ["network", "ERR_VALIDATION", "ERR_TOO_MANY_REQUESTS", "ERR_COMPANY_DISABLED", "ERR_UNAVAILABLE"];

export function loginErrorText(error: unknown, language: Language): string {
  const t = translator(loginMessages, language);
  if (!(error instanceof ApiError)) {
    return t("failed");
  }
  if (error.status === 401) {
    return t("wrong");
  }
  if (error.code === "ERR_SUBSCRIPTION_EXPIRED") {
    const { dueDate } = error.details;
    const date = typeof dueDate === "string" ? createFormat(language, "UTC").date(dueDate.slice(0, 10)) : undefined;
    return date === undefined
      ? errorText(error, language)
      : translator(subscriptionMessages, language)("expired", { date });
  }
  if (telling.includes(error.code)) {
    return errorText(error, language);
  }
  return error.serverText ?? t("failed");
}
