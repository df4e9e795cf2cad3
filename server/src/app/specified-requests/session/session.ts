import { every, flag, maybe, refusal, saying, someText, text } from "../format/kinds.ts";
import type { SpecifiedRequest } from "../format/table.ts";

const sessionUser = {
  id: "{newcomer}",
  name: "Nina Paz",
  email: "{newcomerEmail}",
  profile: "user",
  super: false,
  companyId: "{company}",
  allTicket: "desabled",
  queues: [
    { id: "{sales}", name: "Vendas", color: "#654321", UserQueue: { userId: "{newcomer}", queueId: "{sales}" } },
  ],
  company: {
    id: "{company}",
    name: "Padaria Sol",
    dueDate: someText,
    trialExpiration: maybe(text),
    email: text,
    settings: every({ key: text, value: text }),
  },
};

/** Specification 1, sections 2, 4 and 7; behaviour 1. */
export const session: readonly SpecifiedRequest[] = [
  {
    request: "GET /version",
    proves: "the menu's version (S-05)",
    as: "nobody",
    holds: { version: someText },
  },
  {
    request: "POST /auth/login",
    proves: "email and password give token and user, with queues, company and settings (A-02)",
    as: "nobody",
    send: { email: "{newcomerEmail}", password: "{password}" },
    status: 200,
    holds: { token: someText, user: sessionUser },
    keep: { cookie: "cookie jrt" },
    hears: [
      {
        channel: "company-{company}-auth",
        as: "newcomer",
        holds: { action: "update", user: { id: "{newcomer}" } },
      },
    ],
  },
  {
    request: "POST /auth/login",
    proves: "wrong credentials are 401, with the specification's words (A-02)",
    as: "nobody",
    send: { email: "{newcomerEmail}", password: "errada" },
    status: 401,
    holds: { error: "ERR_INVALID_CREDENTIALS", message: saying("Email ou senha incorretos"), requestId: someText },
  },
  {
    request: "POST /auth/login",
    proves: "an empty form is a broken rule, not a stranger (A-01, E-03)",
    as: "nobody",
    send: { email: "", password: "" },
    status: 400,
    holds: refusal("ERR_VALIDATION"),
  },
  {
    request: "POST /auth/refresh_token",
    proves: "the cookie alone gives token and user, and another cookie (A-05)",
    as: "nobody",
    headers: { cookie: "{cookie}" },
    status: 200,
    holds: { token: someText, user: sessionUser },
    keep: { cookie: "cookie jrt" },
  },
  {
    request: "POST /auth/refresh_token",
    proves: "without a cookie nobody is signed in (A-05)",
    as: "nobody",
    status: 401,
    holds: refusal("ERR_NOT_SIGNED_IN"),
  },
  {
    request: "GET /auth/me",
    proves: "the bearer token's user (A-06)",
    as: "admin",
    holds: { id: "{admin}", email: "{adminEmail}", profile: "admin", super: flag, companyId: "{company}" },
  },
  {
    request: "GET /auth/me",
    proves: "the cookie's user where there is no token (A-06)",
    as: "nobody",
    headers: { cookie: "{cookie}" },
    holds: sessionUser,
  },
  {
    request: "DELETE /auth/logout",
    proves: "ends the session (A-06)",
    as: "nobody",
    headers: { cookie: "{cookie}" },
  },
  {
    request: "POST /auth/refresh_token",
    proves: "an ended session gives no token any more (A-06)",
    as: "nobody",
    headers: { cookie: "{cookie}" },
    status: 401,
    holds: refusal("ERR_NOT_SIGNED_IN"),
  },
  {
    request: "GET /tickets",
    proves: "a stranger is 401 (A-05)",
    as: "nobody",
    status: 401,
    holds: refusal("ERR_NOT_SIGNED_IN"),
  },
  {
    request: "GET /tickets",
    proves: "a broken token is 403, so that the client refreshes (A-05)",
    as: "nobody",
    headers: { authorization: "Bearer broken" },
    status: 403,
    holds: refusal("ERR_SESSION_EXPIRED"),
  },
  {
    request: "POST /forgetpassword/{newcomerEmail}",
    proves: "a code is mailed (A-10)",
    as: "nobody",
    status: 200,
  },
  {
    request: "POST /forgetpassword/nobody@example.com",
    proves: "who has no account is not found, with the specification's words (A-10)",
    as: "nobody",
    status: 404,
    holds: { error: "ERR_NO_EMAIL_FOUND", message: saying("Email não encontrado"), requestId: someText },
  },
  {
    request: "POST /resetpasswords/{newcomerEmail}/{n}/{newPassword}",
    proves: "a wrong code changes nothing (A-10)",
    as: "nobody",
    status: 400,
    holds: refusal("ERR_RESET_CODE"),
  },
];
