import { z } from "zod";
import { done, instant } from "./common.ts";
import { endpoint } from "./endpoint.ts";

/** One thing that an installation needs, in the language of the request: what was looked at, what is so, what to do about it. */
export const finding = z.object({
  subject: z.string(),
  state: z.enum(["good", "doubtful", "bad"]),
  found: z.string(),
  /** In one sentence; absent where nothing is to be done. */
  remedy: z.string().optional(),
});
export type Finding = z.output<typeof finding>;

const operators = { access: { who: "super" } } as const;

/** What `npm run doctor` finds, as the process that answers sees it, and what only a running one knows. */
export const doctor = {
  examine: endpoint({
    method: "GET",
    path: "/doctor",
    summary: "Look at everything that the installation needs, and say what to do",
    ...operators,
    response: z.object({
      findings: z.array(finding),
      /** The time of this process, for a look at the browser's clock. */
      at: instant,
      /** Where people should open it; null where PUBLIC_URL is not set. */
      publicUrl: z.string().nullable(),
    }),
    isSlow: true,
  }),
  testMail: endpoint({
    method: "POST",
    path: "/doctor/mail",
    summary: "Send a mail to the operator who asks, to see whether mails arrive",
    ...operators,
    response: done,
    isSlow: true,
  }),
} as const;
