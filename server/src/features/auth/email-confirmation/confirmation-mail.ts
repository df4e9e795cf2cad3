import type { Language } from "@prosa/contract/i18n";
import type { Mail } from "#server/platform/mail/index.ts";

interface Recipient {
  readonly email: string;
  readonly language: Language;
}

/** The link by which who signed up confirms their e-mail. It repeats nothing that was typed: the mailbox may be a stranger's. */
export function confirmationMail({ email, language }: Recipient, url: string): Mail {
  const { subject, text } = texts[language];
  return { to: email, subject, text: text(url).join("\n\n") };
}

const texts: Readonly<
  Record<Language, { readonly subject: string; readonly text: (url: string) => readonly string[] }>
> = {
  pt: {
    subject: "Confirme o seu e-mail",
    text: (url) => [
      "Olá!",
      "O cadastro no Prosa está quase pronto. Confirme o seu e-mail por este link e entre:",
      url,
      "O link vale por 48 horas. Se você não fez este cadastro, ignore este e-mail.",
    ],
  },
  en: {
    subject: "Confirm your email",
    text: (url) => [
      "Hello!",
      "Your sign-up for Prosa is almost done. Confirm your email with this link, then sign in:",
      url,
      "The link is valid for 48 hours. If you did not sign up, ignore this email.",
    ],
  },
  es: {
    subject: "Confirme su correo",
    text: (url) => [
      "¡Hola!",
      "El registro en Prosa está casi listo. Confirme su correo con este enlace y entre:",
      url,
      "El enlace vale por 48 horas. Si usted no se registró, ignore este correo.",
    ],
  },
};
