import { z } from "zod";
import { endpoint } from "./endpoint.ts";

/** The first steps of a company, in their order. Each follows from its rows, whoever made them. */
export const firstStepNames = ["line", "message", "colleague", "queue"] as const;
export type FirstStep = (typeof firstStepNames)[number];

export const firstSteps = z.object({
  /** A line was linked. */
  line: z.boolean(),
  /** A contact has written. */
  message: z.boolean(),
  /** There is a second user, invited or added. */
  colleague: z.boolean(),
  queue: z.boolean(),
  /** A line can be tried without a phone: the installation has the simulator. */
  hasSimulator: z.boolean(),
  /** The user hid the list. */
  isHidden: z.boolean(),
});
export type FirstSteps = z.output<typeof firstSteps>;

export const firstStepsCalls = {
  get: endpoint({
    method: "GET",
    path: "/first-steps",
    summary: "Which first steps the company has done (Z-05)",
    access: { who: "admin" },
    response: firstSteps,
  }),
  hide: endpoint({
    method: "PUT",
    path: "/first-steps",
    summary: "Hide one's own list of first steps, or show it again (Z-05)",
    access: { who: "admin" },
    body: z.object({ isHidden: z.boolean() }),
    response: firstSteps,
  }),
} as const;
