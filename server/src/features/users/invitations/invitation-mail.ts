import type { Language } from "@prosa/contract/i18n";
import { mailTime } from "#server/platform/mail/index.ts";
import type { Mail } from "#server/platform/mail/index.ts";

export interface InvitationFacts {
  readonly to: string;
  readonly url: string;
  /** Null where no person invites. */
  readonly inviter: string | null;
  readonly company: { readonly name: string; readonly language: Language; readonly time_zone: string };
  readonly expiresAt: Date;
}

/** The mail with the link of an invitation, in the language of the company. */
export function invitationMail({ to, url, inviter, company, expiresAt }: InvitationFacts): Mail {
  const { language, name } = company;
  const until = mailTime(expiresAt, language, company.time_zone);
  const { subject, text } = texts[language];
  return { to, subject: subject(name), text: text({ inviter, name, url, until }).join("\n\n") };
}

interface Words {
  readonly inviter: string | null;
  readonly name: string;
  readonly url: string;
  readonly until: string;
}

const texts: Readonly<
  Record<Language, { readonly subject: (name: string) => string; readonly text: (words: Words) => readonly string[] }>
> = {
  pt: {
    subject: (name) => `Convite para atender com ${name}`,
    text: ({ inviter, name, url, until }) => [
      "Olá!",
      `${inviter === null ? "Este convite é" : `${inviter} convidou você`} para atender os clientes de ${name} no Prosa. Crie a sua senha por este link, que só serve para você:`,
      url,
      `O link vale até ${until} e só pode ser usado uma vez. Se você não esperava este convite, ignore este e-mail.`,
    ],
  },
  en: {
    subject: (name) => `Invitation to join ${name}`,
    text: ({ inviter, name, url, until }) => [
      "Hello!",
      `${inviter === null ? "You are invited" : `${inviter} invited you`} to answer the customers of ${name} in Prosa. Set your password with this link, which is for you alone:`,
      url,
      `The link is valid until ${until} and works once. If you did not expect this invitation, ignore this email.`,
    ],
  },
  es: {
    subject: (name) => `Invitación para atender con ${name}`,
    text: ({ inviter, name, url, until }) => [
      "¡Hola!",
      `${inviter === null ? "Esta invitación es para" : `${inviter} le invitó a`} atender a los clientes de ${name} en Prosa. Cree su contraseña con este enlace, que es solo para usted:`,
      url,
      `El enlace vale hasta el ${until} y solo se puede usar una vez. Si no esperaba esta invitación, ignore este correo.`,
    ],
  },
};
