import type { Language } from "@prosa/contract/i18n";
import type { Mail } from "#server/platform/mail/index.ts";
import type { AdminAddress } from "./deliver.queries.ts";

interface Facts {
  readonly admin: AdminAddress;
  /** The address of the endpoint. */
  readonly endpoint: string;
  /** It answered 410; else it failed for days. */
  readonly isGone: boolean;
  /** The public URL of this installation. */
  readonly url: string;
}

/** To an admin: a webhook was switched off, in the language of their company. */
export function switchedOffMail({ admin, endpoint, isGone, url }: Facts): Mail {
  const { subject, hello, failing, gone, next } = texts[admin.language];
  const where = `${url}/settings?tab=webhooks`;
  const text = [hello(admin.name), (isGone ? gone : failing)(endpoint), next(where)].join("\n\n");
  return { to: admin.email, subject, text };
}

interface Texts {
  readonly subject: string;
  readonly hello: (name: string) => string;
  readonly failing: (endpoint: string) => string;
  readonly gone: (endpoint: string) => string;
  readonly next: (where: string) => string;
}

const texts: Readonly<Record<Language, Texts>> = {
  pt: {
    subject: "Prosa: um webhook foi desligado",
    hello: (name) => `Olá, ${name}.`,
    failing: (endpoint) => `O webhook ${endpoint} falhou por três dias e foi desligado.`,
    gone: (endpoint) => `O webhook ${endpoint} respondeu que não existe mais (410) e foi desligado.`,
    next: (where) => `Depois de corrigir o problema, ligue o webhook de novo e reenvie o que faltou: ${where}`,
  },
  en: {
    subject: "Prosa: a webhook was switched off",
    hello: (name) => `Hello ${name},`,
    failing: (endpoint) => `The webhook ${endpoint} failed for three days and was switched off.`,
    gone: (endpoint) => `The webhook ${endpoint} answered that it is gone (410) and was switched off.`,
    next: (where) => `Once the problem is solved, switch the webhook on again and replay what is missing: ${where}`,
  },
  es: {
    subject: "Prosa: se desactivó un webhook",
    hello: (name) => `Hola, ${name}:`,
    failing: (endpoint) => `El webhook ${endpoint} falló durante tres días y se desactivó.`,
    gone: (endpoint) => `El webhook ${endpoint} respondió que ya no existe (410) y se desactivó.`,
    next: (where) => `Cuando el problema esté resuelto, active el webhook de nuevo y reenvíe lo que falta: ${where}`,
  },
};
