import { agentAssist } from "@prosa/contract";
import { callerGone, serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import { draftReply, isAssistOn, rewrite, summarise, translate } from "./agent-assist.service.ts";

/** The model is asked outside the transactions: nobody else waits for it, and whoever cancels spends no more tokens. */
const noTransaction = { transaction: "none" } as const;

export function agentAssistRoutes(api: Api): void {
  const { services } = api;
  serve(api, agentAssist.state, async (ctx) => ({ isOn: await isAssistOn(ctx) }));
  serve(
    api,
    agentAssist.reply,
    (scope, input) => draftReply(services, { scope, ticketId: input.params.ticketId, signal: callerGone(input.reply) }),
    noTransaction,
  );
  serve(
    api,
    agentAssist.summary,
    (scope, input) =>
      summarise(services, { scope, ticketId: input.params.ticketId, signal: callerGone(input.reply) }, input.body),
    noTransaction,
  );
  serve(
    api,
    agentAssist.rewrite,
    (scope, input) =>
      rewrite(services, { scope, ticketId: input.params.ticketId, signal: callerGone(input.reply) }, input.body),
    noTransaction,
  );
  serve(
    api,
    agentAssist.translate,
    (scope, input) =>
      translate(services, { scope, ticketId: input.params.ticketId, signal: callerGone(input.reply) }, input.body),
    noTransaction,
  );
}
