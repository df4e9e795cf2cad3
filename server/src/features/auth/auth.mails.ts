import { mailTime } from "#server/platform/mail/index.ts";
import type { Mail } from "#server/platform/mail/index.ts";
import type { AccountRow } from "./auth.queries.ts";

/** Security mails to the owner of an account, in the language of their company. */

export interface SignInFacts {
  readonly account: Pick<AccountRow, "name" | "email" | "language" | "time_zone">;
  /** The network address of the sign-in. */
  readonly address: string;
  readonly at: Date;
  /** The public URL of this installation. */
  readonly url: string;
}

/** Many sign-ins with a wrong password. */
export function failedSignInsMail(facts: SignInFacts): Mail {
  return mailOf(facts, mailTexts[facts.account.language].failedSignIns);
}

/** A sign-in from an address that the account was not used from before. */
export function newAddressMail(facts: SignInFacts): Mail {
  return mailOf(facts, mailTexts[facts.account.language].newAddress);
}

interface MailTexts {
  readonly subject: string;
  readonly text: (facts: MailFacts) => readonly string[];
}

interface MailFacts {
  readonly name: string;
  readonly email: string;
  readonly address: string;
  readonly at: string;
  readonly url: string;
}

function mailOf({ account, address, at, url }: SignInFacts, { subject, text }: MailTexts): Mail {
  const { name, email } = account;
  const time = mailTime(at, account.language, account.time_zone);
  return { to: email, subject, text: text({ name, email, address, url, at: time }).join("\n\n") };
}

const mailTexts: Readonly<
  Record<AccountRow["language"], { readonly failedSignIns: MailTexts; readonly newAddress: MailTexts }>
> = {
  pt: {
    failedSignIns: {
      subject: "Muitas tentativas de entrar na sua conta",
      text: ({ name, email, address, at, url }) => [
        `Olá, ${name}.`,
        `Alguém tentou várias vezes entrar na conta ${email} com uma senha errada. A última tentativa veio de ${address}, em ${at}.`,
        "Ninguém entrou. Você continua entrando normalmente de onde já entrou antes.",
        `Se não foi você, confira se a sua senha é longa e só usada aqui; se não for, troque-a: ${url}/forgetpsw`,
      ],
    },
    newAddress: {
      subject: "Acesso à sua conta de um novo endereço",
      text: ({ name, email, address, at, url }) => [
        `Olá, ${name}.`,
        `A conta ${email} foi acessada de um endereço de internet de onde ainda não tinha sido: ${address}, em ${at}.`,
        `Se foi você, não é preciso fazer nada. Se não foi, troque a sua senha agora e fale com o administrador: ${url}/forgetpsw`,
      ],
    },
  },
  en: {
    failedSignIns: {
      subject: "Many attempts to sign in to your account",
      text: ({ name, email, address, at, url }) => [
        `Hello ${name},`,
        `Somebody tried several times to sign in as ${email} with a wrong password. The last attempt came from ${address}, on ${at}.`,
        "Nobody got in. You can still sign in as usual from where you signed in before.",
        `If it was not you, make sure that your password is long and used nowhere else, or change it: ${url}/forgetpsw`,
      ],
    },
    newAddress: {
      subject: "Sign-in to your account from a new address",
      text: ({ name, email, address, at, url }) => [
        `Hello ${name},`,
        `Somebody signed in as ${email} from an internet address that was not used before: ${address}, on ${at}.`,
        `If it was you, there is nothing to do. If not, change your password now and tell your administrator: ${url}/forgetpsw`,
      ],
    },
  },
  es: {
    failedSignIns: {
      subject: "Muchos intentos de entrar en su cuenta",
      text: ({ name, email, address, at, url }) => [
        `Hola, ${name}:`,
        `Alguien intentó varias veces entrar en la cuenta ${email} con una contraseña equivocada. El último intento vino de ${address}, el ${at}.`,
        "Nadie logró entrar. Usted puede seguir entrando como siempre desde donde ya lo hizo antes.",
        `Si no fue usted, compruebe que su contraseña sea larga y no la use en otro sitio; si no es así, cámbiela: ${url}/forgetpsw`,
      ],
    },
    newAddress: {
      subject: "Acceso a su cuenta desde una dirección nueva",
      text: ({ name, email, address, at, url }) => [
        `Hola, ${name}:`,
        `Alguien entró en la cuenta ${email} desde una dirección de internet que no se había usado antes: ${address}, el ${at}.`,
        `Si fue usted, no tiene que hacer nada. Si no, cambie su contraseña ahora y avise al administrador: ${url}/forgetpsw`,
      ],
    },
  },
};
