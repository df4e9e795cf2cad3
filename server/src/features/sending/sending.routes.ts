import { optOuts, sendingRulesApi, warmUpPlan } from "@prosa/contract";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import { readOptOuts, setOptOut, takeOptOutBack } from "./opt-outs/index.ts";
import { readSendingRules, saveSendingRules } from "./rules/index.ts";
import { readWarmUpPlan, saveWarmUpPlan } from "./warm-up/index.ts";

/** The plan belongs to no company: its verbs open a system transaction. */
const ownTransaction = { transaction: "none" } as const;

export function sendingRoutes(api: Api): void {
  const { db } = api.services;

  serve(api, optOuts.ofContact, (ctx, { params }) => readOptOuts(ctx, params.id));
  serve(api, optOuts.set, (ctx, { params, body }) => setOptOut(ctx, params.id, body.note));
  serve(api, optOuts.takeBack, async (ctx, { params }) => ({ taken: await takeOptOutBack(ctx, params.id) }));

  serve(api, sendingRulesApi.get, (ctx) => readSendingRules(ctx));
  serve(api, sendingRulesApi.save, (ctx, { body }) => saveSendingRules(ctx, body));

  serve(api, warmUpPlan.get, () => readWarmUpPlan(db), ownTransaction);
  serve(api, warmUpPlan.save, (_, { body }) => saveWarmUpPlan(db, body.steps), ownTransaction);
}
