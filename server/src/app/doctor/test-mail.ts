import { defineMessages, translator } from "@prosa/contract/i18n";
import type { Language } from "@prosa/contract/i18n";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Mail } from "#server/platform/mail/index.ts";
import { findEmail } from "./doctor.queries.ts";

const messages = defineMessages({
  pt: {
    subject: "Prosa: e-mail de teste",
    text: "Este e-mail foi pedido na página de diagnóstico de {url}. Se ele chegou, os e-mails funcionam.",
  },
  en: {
    subject: "Prosa: test email",
    text: "This email was requested on the diagnostics page of {url}. If it has arrived, emails work.",
  },
  es: {
    subject: "Prosa: correo de prueba",
    text: "Este correo se pidió en la página de diagnóstico de {url}. Si llegó, los correos funcionan.",
  },
});

/** The mail to the operator who asks for it; to nobody else, so that the page sends no mail of strangers. */
export async function testMail(ctx: Ctx, language: Language, url: string): Promise<Mail> {
  const to = ctx.actor.kind === "user" ? await findEmail(ctx, ctx.actor.userId) : undefined;
  if (to === undefined) {
    throw new AppError("ERR_NO_USER_FOUND");
  }
  const say = translator(messages, language);
  return { to, subject: say("subject"), text: say("text", { url }) };
}
