import { chatImports } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import { enforceSharedLimit, serve } from "#server/platform/http/index.ts";
import type { Api, Upload } from "#server/platform/http/index.ts";
import { listChatImports, previewChat, requireContact, startChatImport } from "./chat-imports.service.ts";

/** An archive is read whole. */
const limit = { max: 10, perSeconds: 60 };

export function chatImportsRoutes(api: Api): void {
  serve(
    api,
    chatImports.preview,
    async (edge, { files: [file], params }) => {
      await edge.read((ctx) => requireContact(ctx, params.id));
      await enforceSharedLimit(api.services, `chat-imports:${edge.actor?.companyId}`, limit);
      return previewChat(api.services, edge.actor?.companyId ?? 0, requireFile(file));
    },
    { transaction: "none" },
  );
  serve(
    api,
    chatImports.start,
    async (edge, { files: [file], params, body }) => {
      await enforceSharedLimit(api.services, `chat-imports:${edge.actor?.companyId}`, limit);
      return startChatImport(api.services, edge, params.id, { me: body.me, file: requireFile(file) });
    },
    { transaction: "none" },
  );
  serve(api, chatImports.list, async (ctx, { params }) => ({ records: await listChatImports(ctx, params.id) }), {
    transaction: "read",
  });
}

/** The contract requires the file (`files.required`). */
function requireFile(file: Upload | undefined): Upload {
  if (!file) {
    throw new AppError("ERR_VALIDATION", { fields: { file: "Required" } });
  }
  return file;
}
