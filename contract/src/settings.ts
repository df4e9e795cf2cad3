import { z } from "zod";
import { setting } from "./auth.ts";
import { endpoint } from "./endpoint.ts";

/** Settings and their defaults (specification 2 section 9). */
export const settingDefaults = {
  userRating: "disabled",
  CheckMsgIsGroup: "enabled",
  call: "disabled",
  sendGreetingAccepted: "disabled",
  sendMsgTransfTicket: "disabled",
  sendGreetingMessageOneQueues: "disabled",
  scheduleType: "disabled",
  chatBotType: "text",
  asaas: "",
  campaignsEnabled: "true",
  userCreation: "enabled",
  /** Minutes within which a customer who writes again gets the same agent back (behaviour 4); "0" = off. */
  reopenToAgentMinutes: "0",
  /** Previews of addresses in messages, whose pages the server fetches. */
  linkPreviews: "enabled",
  /** Nobody of the company signs in without a second factor (V-03). */
  requireTwoFactor: "disabled",
  /** Days that messages of resolved conversations are kept (V-02); "0" = for ever. */
  retentionDays: "0",
  /** Drafts of a language model at the desk: by the first prompt with a key, by the prompt of this id, or not at all (O-08). */
  agentAssist: "enabled",
} as const;
export type SettingKey = keyof typeof settingDefaults;
export const settingKeys = Object.keys(settingDefaults) as SettingKey[];

const onOff = z.enum(["enabled", "disabled"]);
/** Schema of each value. */
export const settingValues = {
  userRating: onOff,
  CheckMsgIsGroup: onOff,
  call: onOff,
  sendGreetingAccepted: onOff,
  sendMsgTransfTicket: onOff,
  sendGreetingMessageOneQueues: onOff,
  scheduleType: z.enum(["disabled", "queue", "company"]),
  chatBotType: z.enum(["text"]),
  asaas: z.string().trim().max(500),
  campaignsEnabled: z.enum(["true", "false"]),
  userCreation: onOff,
  linkPreviews: onOff,
  requireTwoFactor: onOff,
  retentionDays: z.string().regex(/^\d{1,5}$/),
  reopenToAgentMinutes: z.string().regex(/^\d{1,5}$/),
  agentAssist: z.string().regex(/^(enabled|disabled|[1-9]\d{0,8})$/),
} as const satisfies Record<SettingKey, z.ZodType<string>>;

/** Settings that only the operator changes; read-only for admins of companies. */
export const operatorSettings: readonly SettingKey[] = ["campaignsEnabled", "userCreation", "asaas"];

/**
 * Never sent to a browser: responses contain "set" or "". `asaas` is the API key of the operator's payment account, and kept with
 * it; no row of a company (decision 0070).
 */
export const secretSettings: readonly SettingKey[] = ["asaas"];
export type CompanySettingKey = Exclude<SettingKey, "asaas">;

export const settings = {
  list: endpoint({
    method: "GET",
    path: "/settings",
    summary: "The company's settings, secrets masked",
    access: { who: "session" },
    response: z.array(setting),
  }),
  save: endpoint({
    method: "PUT",
    path: "/settings/:key",
    summary: "Change one setting; campaignsEnabled, userCreation and asaas are the operator's",
    access: { who: "admin" },
    params: z.object({ key: z.string().max(60) }),
    body: z.object({
      key: z.string().max(60).optional(),
      value: z.union([z.string().max(500), z.boolean().transform(String)]),
    }),
    response: setting,
  }),
} as const;
