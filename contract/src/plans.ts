import { z } from "zod";
import { changesOf, done, idParams, name2to50 } from "./common.ts";
import { endpoint } from "./endpoint.ts";

const flag = z.boolean().default(true);

export const plan = z.object({
  id: z.number().int(),
  name: z.string(),
  users: z.number().int(),
  connections: z.number().int(),
  queues: z.number().int(),
  value: z.number(),
  useCampaigns: flag,
  useSchedules: flag,
  useInternalChat: flag,
  useExternalApi: flag,
  useKanban: flag,
  useOpenAi: flag,
  useIntegrations: flag,
});
export type Plan = z.output<typeof plan>;

/** A plan with the fields for operators: visibility and usage. */
export const offeredPlan = plan.extend({
  /** Whether it is offered at sign-up. */
  isPublic: z.boolean(),
  /** Number of companies with this plan; while there are any it cannot be deleted (Y-02). */
  companies: z.number().int(),
});
export type OfferedPlan = z.output<typeof offeredPlan>;

const limit = z.coerce.number().int().min(0).max(100_000).default(0);

/** Default of numbers 0, of flags true (specification 2 section 9). */
export const planBody = z.object({
  name: name2to50,
  users: limit,
  connections: limit,
  queues: limit,
  value: z.coerce.number().min(0).max(9_999_999.99).default(0),
  useCampaigns: flag,
  useSchedules: flag,
  useInternalChat: flag,
  useExternalApi: flag,
  useKanban: flag,
  useOpenAi: flag,
  useIntegrations: flag,
  isPublic: flag,
});
export type PlanBody = z.output<typeof planBody>;

const operators = { access: { who: "super" } } as const;
const offered = { access: { who: "public" }, response: z.array(plan) } as const;

export const plans = {
  list: endpoint({
    method: "GET",
    path: "/plans",
    summary: "Every plan, also those that are not offered, the cheapest first",
    ...operators,
    response: z.array(offeredPlan),
  }),
  lookup: endpoint({ method: "GET", path: "/plans/list", summary: "Plans that a visitor may choose", ...offered }),
  all: endpoint({
    method: "GET",
    path: "/plans/all",
    summary: "The same as /plans/list, by its other name",
    ...offered,
  }),
  get: endpoint({
    method: "GET",
    path: "/plans/:id",
    summary: "One plan",
    ...operators,
    params: idParams,
    response: offeredPlan,
  }),
  create: endpoint({
    method: "POST",
    path: "/plans",
    summary: "Add a plan",
    ...operators,
    body: planBody,
    response: offeredPlan,
  }),
  update: endpoint({
    method: "PUT",
    path: "/plans/:id",
    summary: "Change a plan; it holds at once for every company that has it",
    ...operators,
    params: idParams,
    body: changesOf(planBody),
    response: offeredPlan,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/plans/:id",
    summary: "Delete a plan that no company has",
    ...operators,
    params: idParams,
    response: done,
  }),
} as const;
