import { agentAssist } from "@prosa/contract";
import { serve } from "#server/platform/http/index.ts";
import type { Api, Input } from "#server/platform/http/index.ts";
import { draftReply, isAssistOn, rewrite, summarise, translate } from "./agent-assist.service.ts";

/** The model is asked outside the transactions: nobody else waits for it. */
const noTransaction = { transaction: "none" } as const;

export function agentAssistRoutes(api: Api): void {
  const { services } = api;
  serve(api, agentAssist.state, async (ctx) => ({ isOn: await isAssistOn(ctx) }));
  serve(
    api,
    agentAssist.reply,
    (scope, input) => draftReply(services, { scope, ticketId: input.params.ticketId, signal: waiting(input) }),
    noTransaction,
  );
  serve(
    api,
    agentAssist.summary,
    (scope, input) =>
      summarise(services, { scope, ticketId: input.params.ticketId, signal: waiting(input) }, input.body),
    noTransaction,
  );
  serve(
    api,
    agentAssist.rewrite,
    (scope, input) => rewrite(services, { scope, ticketId: input.params.ticketId, signal: waiting(input) }, input.body),
    noTransaction,
  );
  serve(
    api,
    agentAssist.translate,
    (scope, input) =>
      translate(services, { scope, ticketId: input.params.ticketId, signal: waiting(input) }, input.body),
    noTransaction,
  );
}

/** Aborted when the browser has gone: whoever cancels spends no more tokens. */
function waiting({ reply }: Pick<Input<never>, "reply">): AbortSignal {
  const gone = new AbortController();
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished) {
      gone.abort();
    }
  });
  return gone.signal;
}
