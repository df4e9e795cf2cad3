import { isAdmin, messages } from "@prosa/contract";
import type { Message } from "@prosa/contract";
import {
  fillNames,
  mustSee,
  readCachedView,
  signMediaUrls,
  signViewMediaUrls,
  visibleTicket,
} from "#server/features/tickets/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { JsonText, serve } from "#server/platform/http/index.ts";
import type { Api, RequestScope } from "#server/platform/http/index.ts";
import { deletingIfRefused } from "#server/platform/storage/index.ts";
import { deleteMessage, editMessage, reactToMessage } from "./change/index.ts";
import { refetchMedia, storeUploads } from "./media/index.ts";
import { findMessage } from "./messages.queries.ts";
import { conversationQuery, readEdits, readMessageViews } from "./messages.view.queries.ts";
import type { ConversationPage } from "./messages.view.queries.ts";
import { isOwner, openConversation } from "./read/index.ts";
import { retryMessage } from "./retry-message.ts";
import { mustSeeOrHaveSent, toOutgoingMessages, sendMessages } from "./send/index.ts";

export function messageRoutes(api: Api): void {
  const { media, storage } = api.services;

  serve(
    api,
    messages.list,
    async (scope, { params, query }) => {
      const { ticketId } = params;
      const isPeek = query.peek === "true";
      if (isPeek && scope.actor?.kind === "user" && !isAdmin(scope.actor)) {
        throw new AppError("ERR_NO_PERMISSION");
      }
      const page = await readPage(scope, ticketId, query);
      if (page.unreadMessages === 0 || isPeek || query.ahead === "true" || !isOwner(scope.actor, page)) {
        return toResponse(scope, page);
      }
      const read = await scope.inCompany((ctx) => openConversation(ctx, ticketId));
      return toResponse(scope, await readPage(scope, ticketId, query), read);
    },
    { transaction: "none" },
  );

  serve(
    api,
    messages.send,
    async (scope, { params, body, files }) => {
      const { ticketId } = params;
      const companyId = scope.actor?.companyId ?? 0;
      if (files.length > 0) {
        // Check access first: nobody may fill the disk with files for a ticket that they cannot see.
        await scope.read((ctx) => mustSeeOrHaveSent(ctx, ticketId, body.clientId));
      }
      const stored = await storeUploads(storage, companyId, files, body.voice);
      const keys = stored.map(({ storageKey }) => storageKey);
      const answer = await deletingIfRefused(storage, keys, () =>
        scope.inCompany(async (ctx) => {
          const sent = await sendMessages(ctx, ticketId, toOutgoingMessages(body, stored), { clientId: body.clientId });
          const sentViews = sent.views && new JsonText(signMediaUrls(media, companyId, `[${sent.views.join()}]`));
          return { ...sent, views: sentViews ?? (await views(ctx, sent.ids)) };
        }),
      );
      if (answer.isDuplicate) {
        await Promise.all(keys.map((key) => storage.delete(key)));
      }
      return answer.views;
    },
    { transaction: "none" },
  );

  serve(api, messages.edit, async (ctx, { params, body }) => {
    await editMessage(ctx, params.messageId, body.body);
    return view(ctx, params.messageId);
  });
  serve(api, messages.react, async (ctx, { params, body }) => {
    await reactToMessage(ctx, params.messageId, body.emoji);
    return view(ctx, params.messageId);
  });
  serve(
    api,
    messages.retry,
    async (ctx, { params }) => {
      await retryMessage(ctx, params.messageId);
      return view(ctx, params.messageId);
    },
    // An ack after the failure locks message and ticket in the other order (`advanceAcks`).
    { retry: true },
  );
  serve(api, messages.refetchMedia, async (ctx, { params }) => {
    await refetchMedia(ctx, params.messageId);
    return view(ctx, params.messageId);
  });
  serve(api, messages.remove, async (ctx, { params }) => {
    await deleteMessage(ctx, params.messageId);
    return view(ctx, params.messageId);
  });
  serve(api, messages.history, async (ctx, { params }) => {
    const { ticketId } = await findMessage(ctx, params.messageId);
    await visibleTicket(ctx, ticketId);
    return readEdits(ctx, params.messageId);
  });
  serve(api, messages.markRead, async (ctx, { params }) => {
    await openConversation(ctx, params.ticketId);
    return { message: "Conversation read" };
  });

  /** `read`: how many messages this request has marked as read; those that came since are unread in the page. */
  async function toResponse(scope: RequestScope, page: ConversationPage, read = 0): Promise<JsonText> {
    const { ticketVersion: version, ticketView: view, unreadMessages } = page;
    const companyId = scope.actor?.companyId ?? 0;
    const ticket = await readCachedView(scope, { media, companyId }, { version, view });
    if (ticket === undefined) {
      throw new AppError("ERR_NO_TICKET_FOUND");
    }
    const unread = `,"unread":${read + unreadMessages}`;
    const { json } = await fillNames(scope, page.page.slice(1));
    return new JsonText('{"ticket":', ticket, unread, `,${signMediaUrls(media, companyId, json)}`);
  }

  async function views(ctx: Ctx, ids: readonly number[]): Promise<Message[]> {
    const found = await readMessageViews(ctx, ids);
    return found.map((message) => signViewMediaUrls(media, ctx.companyId, message));
  }

  async function view(ctx: Ctx, id: number): Promise<Message> {
    const [message] = await views(ctx, [id]);
    if (!message) {
      throw new AppError("ERR_NO_MESSAGE_FOUND");
    }
    return message;
  }
}

async function readPage(
  { actor, readOne }: RequestScope,
  ticketId: number,
  query: Parameters<typeof conversationQuery>[2],
): Promise<ConversationPage> {
  if (!actor) {
    throw new AppError("ERR_NOT_SIGNED_IN");
  }
  const { statement, values } = conversationQuery(actor.companyId, ticketId, query);
  const [page] = await readOne(statement, values);
  if (!page) {
    throw new AppError("ERR_NO_TICKET_FOUND");
  }
  mustSee(actor, page);
  if (!page.isCursorFound) {
    throw new AppError("ERR_NO_MESSAGE_FOUND");
  }
  return page;
}
