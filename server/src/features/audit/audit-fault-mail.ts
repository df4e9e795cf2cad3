import type { Language } from "@prosa/contract/i18n";
import type { AuditFault } from "#server/platform/audit/index.ts";
import type { Mail } from "#server/platform/mail/index.ts";
import type { OperatorMail } from "./audit.queries.ts";

interface Found {
  /** Its name and id. */
  readonly company: string;
  readonly fault: AuditFault;
  readonly url: string;
}

/** To the operator: the chain of a company's audit log does not hold. */
export function auditFaultMail(
  { email, name, language }: Pick<OperatorMail, "email" | "name" | "language">,
  found: Found,
): Mail {
  const { subject, text } = texts[language];
  return { to: email, subject, text: text(name, found).join("\n\n") };
}

const texts: Readonly<
  Record<Language, { readonly subject: string; readonly text: (name: string, found: Found) => readonly string[] }>
> = {
  pt: {
    subject: "O registro de auditoria de uma empresa não confere",
    text: (name, { company, fault, url }) => [
      `Olá, ${name}.`,
      `A verificação do registro de auditoria de ${company} encontrou uma falha: ${faults.pt[fault.kind]}, no registro ${fault.seq}.`,
      "Alguém com acesso ao banco de dados mudou, tirou ou pôs um registro, ou uma cópia antiga foi restaurada. Veja quem tem acesso e compare com o último backup.",
      url,
    ],
  },
  en: {
    subject: "The audit log of a company does not hold",
    text: (name, { company, fault, url }) => [
      `Hello, ${name}.`,
      `The check of the audit log of ${company} found a fault: ${faults.en[fault.kind]}, at entry ${fault.seq}.`,
      "Somebody with access to the database changed, removed or added an entry, or an older copy was restored. See who has access, and compare with the last backup.",
      url,
    ],
  },
  es: {
    subject: "El registro de auditoría de una empresa no cuadra",
    text: (name, { company, fault, url }) => [
      `Hola, ${name}.`,
      `La verificación del registro de auditoría de ${company} encontró una falla: ${faults.es[fault.kind]}, en el registro ${fault.seq}.`,
      "Alguien con acceso a la base de datos cambió, quitó o puso un registro, o se restauró una copia antigua. Vea quién tiene acceso y compare con la última copia.",
      url,
    ],
  },
};

const faults: Readonly<Record<Language, Readonly<Record<AuditFault["kind"], string>>>> = {
  pt: {
    changed: "um registro mudado",
    missing: "um registro que falta",
    inserted: "um registro a mais",
    head: "o fim da cadeia",
  },
  en: {
    changed: "a changed entry",
    missing: "a missing entry",
    inserted: "an inserted entry",
    head: "the end of the chain",
  },
  es: {
    changed: "un registro cambiado",
    missing: "un registro que falta",
    inserted: "un registro de más",
    head: "el fin de la cadena",
  },
};
