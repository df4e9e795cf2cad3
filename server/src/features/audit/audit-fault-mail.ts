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
    subject: "A auditoria de uma empresa não confere",
    text: (name, { company, fault, url }) => [
      `Olá, ${name}.`,
      `A verificação da auditoria de ${company} encontrou uma falha. ${faults.pt[fault.kind](fault.seq)}`,
      "Alguém com acesso ao banco de dados alterou, removeu ou incluiu um registro, ou um backup antigo foi restaurado. Veja quem tem acesso e compare com o último backup.",
      url,
    ],
  },
  en: {
    subject: "The audit log of a company does not match",
    text: (name, { company, fault, url }) => [
      `Hello ${name},`,
      `The check of the audit log of ${company} found a fault. ${faults.en[fault.kind](fault.seq)}`,
      "Somebody with access to the database changed, removed or added an entry, or an older backup was restored. See who has access, and compare with the last backup.",
      url,
    ],
  },
  es: {
    subject: "La auditoría de una empresa no coincide",
    text: (name, { company, fault, url }) => [
      `Hola, ${name}:`,
      `La verificación de la auditoría de ${company} encontró una falla. ${faults.es[fault.kind](fault.seq)}`,
      "Alguien con acceso a la base de datos modificó, eliminó o incluyó un registro, o se restauró una copia antigua. Vea quién tiene acceso y compare con la última copia.",
      url,
    ],
  },
};

/** In the words of the tab of the audit log. */
const faults: Readonly<Record<Language, Readonly<Record<AuditFault["kind"], (seq: string) => string>>>> = {
  pt: {
    changed: (seq) => `O registro ${seq} foi alterado depois de escrito.`,
    missing: (seq) => `Falta o registro ${seq}.`,
    inserted: (seq) => `O registro ${seq} foi incluído fora da plataforma.`,
    head: () => "O fim da corrente de registros não confere.",
  },
  en: {
    changed: (seq) => `Entry ${seq} was changed after it was written.`,
    missing: (seq) => `Entry ${seq} is missing.`,
    inserted: (seq) => `Entry ${seq} was added from outside the platform.`,
    head: () => "The end of the chain does not match.",
  },
  es: {
    changed: (seq) => `El registro ${seq} fue modificado después de escrito.`,
    missing: (seq) => `Falta el registro ${seq}.`,
    inserted: (seq) => `El registro ${seq} fue incluido fuera de la plataforma.`,
    head: () => "El fin de la cadena de registros no coincide.",
  },
};
