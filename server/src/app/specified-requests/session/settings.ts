import { every, without, refusal, some, text } from "../format/kinds.ts";
import type { SpecifiedRequest } from "../format/table.ts";

const toggles = [
  "userRating",
  "CheckMsgIsGroup",
  "call",
  "sendGreetingAccepted",
  "sendMsgTransfTicket",
  "sendGreetingMessageOneQueues",
] as const;

/** Specification 2, sections 7 and 9. */
export const settings: readonly SpecifiedRequest[] = [
  { request: "GET /settings/", proves: "a list of key and value (G-02)", holds: every({ key: text, value: text }) },
  { request: "GET /settings", proves: "without a slash the same (G-02, T-23)", holds: some({ key: "call" }) },
  ...toggles.map((key): SpecifiedRequest => ({
    request: `PUT /settings/${key}`,
    proves: "turns on, is read back and told to the company (G-02)",
    send: { key, value: "enabled" },
    after: [{ get: "/settings", as: "agent", holds: some({ key, value: "enabled" }) }],
    hears: [
      {
        channel: "company-{company}-settings",
        as: "agent",
        holds: { action: "update", setting: { key, value: "enabled" } },
      },
    ],
  })),
  ...toggles.map((key): SpecifiedRequest => ({
    request: `PUT /settings/${key}`,
    proves: "and off (G-02)",
    send: { key, value: "disabled" },
    after: [{ get: "/settings", holds: some({ key, value: "disabled" }) }],
  })),
  ...["disabled", "queue", "company"].map((value): SpecifiedRequest => ({
    request: "PUT /settings/scheduleType",
    proves: `${value} is one of the three (G-02)`,
    send: { key: "scheduleType", value },
    after: [{ get: "/settings/", holds: some({ key: "scheduleType", value }) }],
  })),
  {
    request: "PUT /settings/scheduleType",
    proves: "back to none (G-02)",
    send: { key: "scheduleType", value: "disabled" },
  },
  {
    request: "PUT /settings/chatBotType",
    proves: "text is its value (G-02)",
    send: { key: "chatBotType", value: "text" },
    after: [{ get: "/settings", holds: some({ key: "chatBotType", value: "text" }) }],
  },
  {
    request: "PUT /settings/asaas",
    proves: "the provider's token is taken, and never shown (G-02)",
    as: "operator",
    send: { key: "asaas", value: "secret-token-of-asaas" },
    holds: { key: "asaas", value: "set" },
    after: [{ get: "/settings", as: "operator", holds: every({ value: without("secret-token-of-asaas") }) }],
  },
  {
    request: "PUT /settings/asaas",
    proves: "it is the operator's (G-02)",
    send: { key: "asaas", value: "secret-token-of-asaas" },
    status: 403,
    holds: refusal("ERR_NO_PERMISSION"),
  },
  {
    request: "PUT /settings/noSuchKey",
    proves: "an unknown key is not found (E-01)",
    send: { key: "noSuchKey", value: "enabled" },
    status: 404,
    holds: refusal("ERR_NO_SETTING_FOUND"),
  },
  {
    request: "PUT /settings/call",
    proves: "an agent may not (E-01)",
    as: "agent",
    send: { key: "call", value: "enabled" },
    status: 403,
    holds: refusal("ERR_NO_PERMISSION"),
  },
];
