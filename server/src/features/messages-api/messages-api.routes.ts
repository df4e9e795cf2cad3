import { idempotencyHeader, messagesApi, messagesApiRules } from "@prosa/contract";
import type { ApiMessage, ApiMessageState } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import type { Actor } from "#server/platform/ctx.ts";
import { serve } from "#server/platform/http/index.ts";
import type { Api, ResponseValue } from "#server/platform/http/index.ts";
import { createApiLimits } from "./messages-api.limits.ts";
import { findApiMessage } from "./messages-api.queries.ts";
import type { ApiMessageRow } from "./messages-api.queries.ts";
import { sendByApi } from "./send-by-api.ts";
import type { ApiSendTools } from "./send-by-api.ts";

export function messagesApiRoutes(api: Api, tools: Omit<ApiSendTools, "storage" | "limits">): void {
  const { storage } = api.services;

  serve(
    api,
    messagesApi.send,
    async (scope, { body, files, request }) => {
      const connectionId = connectionOf(scope.actor);
      const idempotencyKey = keyOf(request.headers[idempotencyHeader.toLowerCase()]);
      const limits = createApiLimits(api.services, connectionId);
      const send = { connectionId, idempotencyKey, body, files };
      const messageId = await sendByApi(scope, { ...tools, storage, limits }, send);
      return { mensagem: "Mensagem enviada" as const, messageId };
    },
    { transaction: "none" },
  );
  serve(
    api,
    messagesApi.get,
    async (scope, { params }) => {
      const connectionId = connectionOf(scope.actor);
      await createApiLimits(api.services, connectionId).takeLookup();
      const found = await scope.read((ctx) => findApiMessage(ctx, connectionId, params.messageId));
      if (!found) {
        throw new AppError("ERR_NO_MESSAGE_FOUND");
      }
      return view(found);
    },
    { transaction: "none" },
  );
}

function connectionOf(actor: Actor | undefined): number {
  if (actor?.kind !== "line") {
    throw new AppError("ERR_NOT_SIGNED_IN");
  }
  return actor.connectionId;
}

function keyOf(header: string | string[] | undefined): string | null {
  const key = typeof header === "string" ? header.trim() : "";
  if (key.length > messagesApiRules.maxKey) {
    throw new AppError("ERR_VALIDATION", { fields: { [idempotencyHeader]: "Too Long!" } });
  }
  return key === "" ? null : key;
}

function view(row: ApiMessageRow): ResponseValue<ApiMessage> {
  const status = statusOf(row);
  return {
    messageId: row.id,
    number: row.number,
    status,
    heldReason: row.heldReason,
    heldUntil: row.heldUntil,
    error: row.error ?? (status === "failed" ? row.failReason : null),
    createdAt: row.createdAt,
  };
}

function statusOf({ state, ack }: ApiMessageRow): ApiMessageState {
  if (state !== "stored") {
    return state;
  }
  if (ack === null) {
    return "deleted";
  }
  return ack < 0 ? "failed" : ((["queued", "sent", "delivered"] as const)[ack] ?? "read");
}
