import type { Language } from "@prosa/contract/i18n";
import type { Mail } from "#server/platform/mail/index.ts";
import type { ExportReader } from "./company-exports.queries.ts";
import { keptDays } from "./company-exports.service.ts";

/** To the admin who asked for it: the archive of the company is there. The mail holds no address of the file: who reads it must sign in. */
export function exportReadyMail({ email, name, companyName, language }: ExportReader, url: string): Mail {
  const { subject, text } = texts[language];
  return { to: email, subject, text: text(name, companyName, `${url}/settings?tab=privacy`).join("\n\n") };
}

interface Texts {
  readonly subject: string;
  readonly text: (name: string, company: string, url: string) => readonly string[];
}

const texts: Readonly<Record<Language, Texts>> = {
  pt: {
    subject: "Prosa: a exportação da empresa está pronta",
    text: (name, company, url) => [
      `Olá, ${name}.`,
      `O arquivo com tudo de ${company} está pronto e fica disponível por ${keptDays} dias. Baixe-o em Configurações, Privacidade:`,
      url,
      "Se não foi você quem pediu, avise quem administra a empresa e troque a sua senha.",
    ],
  },
  en: {
    subject: "Prosa: the export of your company is ready",
    text: (name, company, url) => [
      `Hello ${name},`,
      `The archive with everything ${company} has is ready and stays available for ${keptDays} days. Download it in Settings, Privacy:`,
      url,
      "If you did not ask for it, tell whoever administers the company, and change your password.",
    ],
  },
  es: {
    subject: "Prosa: la exportación de la empresa está lista",
    text: (name, company, url) => [
      `Hola, ${name}:`,
      `El archivo con todo lo de ${company} está listo y queda disponible por ${keptDays} días. Descárguelo en Configuración, Privacidad:`,
      url,
      "Si no lo pidió usted, avise a quien administra la empresa y cambie su contraseña.",
    ],
  },
};
