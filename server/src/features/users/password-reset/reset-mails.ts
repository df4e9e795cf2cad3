import { resetCodeMinutes } from "@prosa/contract";
import type { Language } from "@prosa/contract/i18n";
import type { Mail } from "#server/platform/mail/index.ts";

interface Person {
  readonly name: string;
  readonly email: string;
  readonly language: Language;
}

interface Words {
  readonly name: string;
  readonly email: string;
  readonly url: string;
  readonly code: string;
}

/** The mail with the code, in the language of the person's company. */
export function resetCodeMail(to: Person, code: string, url: string): Mail {
  return mailOf(to, texts[to.language].code, code, url);
}

/** Tells the owner that the password was changed by a code. */
export function passwordChangedMail(to: Person, url: string): Mail {
  return mailOf(to, texts[to.language].changed, "", url);
}

interface Text {
  readonly subject: string;
  readonly text: (words: Words) => readonly string[];
}

function mailOf({ name, email }: Person, { subject, text }: Text, code: string, url: string): Mail {
  return { to: email, subject, text: text({ name, email, code, url }).join("\n\n") };
}

const texts: Readonly<Record<Language, { readonly code: Text; readonly changed: Text }>> = {
  pt: {
    code: {
      subject: "Código para redefinir a sua senha",
      text: ({ name, code, url }) => [
        `Olá, ${name}.`,
        "Use este código para criar uma nova senha:",
        code,
        `Ele vale por ${resetCodeMinutes} minutos e só pode ser usado uma vez, em ${url}/forgetpsw`,
        "Se você não pediu uma nova senha, ignore este e-mail: a sua senha continua a mesma.",
      ],
    },
    changed: {
      subject: "A sua senha foi redefinida",
      text: ({ name, email, url }) => [
        `Olá, ${name}.`,
        `A senha da conta ${email} foi redefinida com um código enviado a este e-mail, e todas as sessões foram encerradas.`,
        `Se não foi você, redefina a senha agora e fale com o administrador: ${url}/forgetpsw`,
      ],
    },
  },
  en: {
    code: {
      subject: "Code to reset your password",
      text: ({ name, code, url }) => [
        `Hello ${name},`,
        "Use this code to set a new password:",
        code,
        `It is valid for ${resetCodeMinutes} minutes and works once, at ${url}/forgetpsw`,
        "If you did not ask for a new password, ignore this email: your password stays as it is.",
      ],
    },
    changed: {
      subject: "Your password was reset",
      text: ({ name, email, url }) => [
        `Hello ${name},`,
        `The password of ${email} was reset with a code that was sent to this address, and all its sessions were ended.`,
        `If it was not you, reset the password now and tell your administrator: ${url}/forgetpsw`,
      ],
    },
  },
  es: {
    code: {
      subject: "Código para restablecer su contraseña",
      text: ({ name, code, url }) => [
        `Hola, ${name}:`,
        "Use este código para crear una contraseña nueva:",
        code,
        `Vale por ${resetCodeMinutes} minutos y solo se puede usar una vez, en ${url}/forgetpsw`,
        "Si no pidió una contraseña nueva, ignore este correo: su contraseña sigue siendo la misma.",
      ],
    },
    changed: {
      subject: "Su contraseña fue restablecida",
      text: ({ name, email, url }) => [
        `Hola, ${name}:`,
        `La contraseña de la cuenta ${email} se restableció con un código enviado a este correo, y se cerraron todas las sesiones.`,
        `Si no fue usted, restablezca la contraseña ahora y avise al administrador: ${url}/forgetpsw`,
      ],
    },
  },
};
