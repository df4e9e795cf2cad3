import { z } from "zod";
import { day, done, emailAddress, id, instant, name2to50 } from "./common.ts";
import { endpoint } from "./endpoint.ts";
import { userBody } from "./users.ts";

/** Specification 1 section 9: the trial's days, and the recurrence of every company that signs up itself. */
export const trialDays = 3;
export const signUpRecurrence = "MENSAL";

/** Digits of a phone number under the mask (99) 99999-9999 (specification 1 section 2). */
export const maxPhoneDigits = 11;

/** A person needs longer to fill the form, in ms. */
export const minFillMs = 2_000;

/** `(11) 98765-4321` for what was typed or pasted so far: at most eleven digits, without the country's code. */
export function maskPhone(typed: string): string {
  const all = typed.replace(/\D/gu, "");
  // Under the mask, (55) 9… with a digit more is a mobile of the area 55 and no code.
  const national = typed.startsWith("(55) 9") ? all : all.replace(/^55(?=\d{10,11}$)/u, "");
  const digits = national.slice(0, maxPhoneDigits);
  const [area, rest] = [digits.slice(0, 2), digits.slice(2)];
  if (rest === "") {
    return area === "" ? "" : `(${area}`;
  }
  const split = rest.length > 8 ? 5 : 4;
  return `(${area}) ${rest.length > split ? `${rest.slice(0, split)}-${rest.slice(split)}` : rest}`;
}

/** Name, e-mail and password as for a user; a plan is required (specification 1 section 5). */
export const signUpBody = z.object({
  name: name2to50,
  email: emailAddress,
  phone: z
    .string()
    .trim()
    .max(30, "Too Long!")
    .refine((text) => text.replace(/\D/gu, "").length <= maxPhoneDigits, "Too Long!")
    .default(""),
  password: userBody.shape.password,
  planId: id,
  /** Whose link was followed (/signup?companyId=…): that company's setting userCreation decides as well. */
  companyId: id.nullish(),
  /** Hidden in the form: only robots fill it. */
  website: z.string().max(200).default(""),
  /** What `signUps.form` gave: when the form was opened. */
  ticket: z.string().max(200).default(""),
});
export type SignUpBody = z.output<typeof signUpBody>;

const path = "/companies/cadastro";

/** Self sign-up of a company (A-09). */
export const signUps = {
  form: endpoint({
    method: "GET",
    path,
    summary: "Whether companies may sign up themselves, and the ticket of the form (A-09)",
    access: { who: "public" },
    query: z.object({ companyId: id.optional() }),
    response: z.object({ isOpen: z.boolean(), ticket: z.string() }),
  }),
  create: endpoint({
    method: "POST",
    path,
    summary: "Sign up a company with its first admin; the trial and all else that costs is the server's (A-09)",
    access: { who: "public" },
    body: signUpBody,
    response: z.object({
      id: z.number().int(),
      name: z.string(),
      email: z.string(),
      recurrence: z.literal(signUpRecurrence),
      dueDate: day,
      trialExpiration: instant,
      status: z.literal(true),
      campaignsEnabled: z.literal(true),
      /** A link was mailed, which has to be opened before the first sign-in. */
      mustConfirm: z.boolean(),
    }),
  }),
  confirmEmail: endpoint({
    method: "POST",
    path: "/auth/confirm-email",
    summary: "Confirm an e-mail by the link that was mailed at sign-up (A-09)",
    access: { who: "public" },
    body: z.object({ token: z.string().min(1).max(200) }),
    response: done,
  }),
} as const;
