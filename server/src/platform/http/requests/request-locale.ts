import { languages } from "@prosa/contract/i18n";
import type { Language } from "@prosa/contract/i18n";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { CompanyLocale } from "../../auth/index.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Of the company that the request acts for; undefined before its session is known. */
    companyLocale: CompanyLocale | undefined;
  }
}

/** The locale of people of whom nothing is known (specification 1, section 9: default language pt). */
const unknownLocale: CompanyLocale = { timeZone: "America/Sao_Paulo", language: "pt" };

/** Prepares requests to carry the locale of their company. */
export function decorateLocale(app: FastifyInstance): void {
  app.decorateRequest("companyLocale", undefined);
}

export function noteCompanyLocale(request: FastifyRequest, locale: CompanyLocale): void {
  request.companyLocale = locale;
}

/**
 * The language to answer in: the first of Accept-Language that we speak, else the company's, else Portuguese. Our own
 * client sends the language that its user chose.
 */
export function languageOf({ headers, companyLocale = unknownLocale }: FastifyRequest): Language {
  return preferredLanguage(headers["accept-language"] ?? "") ?? companyLocale.language;
}

/** `fr, es-MX;q=0.8, en;q=0.5` is Spanish. */
function preferredLanguage(header: string): Language | undefined {
  const wishes = header
    .slice(0, 200)
    .split(",")
    .map((wish) => {
      const [tag = "", quality] = wish
        .trim()
        .toLowerCase()
        .split(/;\s*q=/u);
      return { language: tag.slice(0, 2), isTag: /^[a-z]{2}(-|$)/u.test(tag), quality: Number(quality ?? 1) };
    });
  const [best] = wishes
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .flatMap(({ language, isTag }) => (isTag ? languages.filter((known) => known === language) : []));
  return best;
}

/** For times without a zone. */
export function companyLocaleOfRequest({ companyLocale = unknownLocale }: FastifyRequest): CompanyLocale {
  return companyLocale;
}
