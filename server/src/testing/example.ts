import { endpoint, errorStatus, planFlags } from "@prosa/contract";
import type { PlanFlag } from "@prosa/contract";
import { z } from "zod";
import type { AccessClaims, LiveSession } from "#server/platform/auth/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Feature } from "#server/platform/feature.ts";
import { serve } from "#server/platform/http/index.ts";
import { userRoom } from "#server/platform/realtime/index.ts";

/** A small feature without tables, for tests of the platform: notes that exist only as events. */
export const notes = {
  list: endpoint({
    method: "GET",
    path: "/tickets",
    summary: "A list at an address that is also a screen",
    access: { who: "session" },
    query: z.object({ pageNumber: z.coerce.number().int().min(1).default(1), search: z.string().default("") }),
    response: z.object({ pageNumber: z.number(), search: z.string(), me: z.number(), at: z.iso.datetime() }),
  }),
  write: endpoint({
    method: "POST",
    path: "/notes/:noteId",
    summary: "Writes a note",
    access: { who: "session" },
    params: z.object({ noteId: z.coerce.number().int().positive() }),
    body: z.object({
      text: z.string().min(2, "Too Short!"),
      tags: z.array(z.object({ name: z.string() })).default([]),
    }),
    response: z.object({ id: z.number(), text: z.string() }),
  }),
  upload: endpoint({
    method: "POST",
    path: "/notes/files",
    summary: "Takes files",
    access: { who: "session" },
    body: z.object({ title: z.string() }),
    files: { field: "medias", max: 2, required: true },
    response: z.array(z.object({ name: z.string(), contentType: z.string(), size: z.number() })),
  }),
  fail: endpoint({
    method: "GET",
    path: "/fail/:code",
    summary: "Fails as asked",
    access: { who: "public" },
    params: z.object({ code: z.string() }),
    response: z.unknown(),
  }),
  forAdmins: endpoint({
    method: "GET",
    path: "/for/admins",
    summary: "Admins only",
    access: { who: "admin" },
    response: z.literal("ok"),
  }),
  forSuper: endpoint({
    method: "GET",
    path: "/for/super",
    summary: "The operator only",
    access: { who: "super" },
    response: z.literal("ok"),
  }),
  forRule: endpoint({
    method: "GET",
    path: "/for/rule",
    summary: "Holders of a rule",
    access: { who: "session", rule: "dashboard:view" },
    response: z.literal("ok"),
  }),
  forPlan: endpoint({
    method: "GET",
    path: "/for/plan",
    summary: "Companies whose plan has it",
    access: { who: "session", plan: "useCampaigns" },
    response: z.literal("ok"),
  }),
  forPayers: endpoint({
    method: "GET",
    path: "/for/payers",
    summary: "Also when overdue",
    access: { who: "session", whenOverdue: true },
    response: z.literal("ok"),
  }),
} as const;

/** Sessions that a test may change while it runs. */
export type ExampleSessions = Map<string, LiveSession>;

export const allowEverything = Object.fromEntries(planFlags.map((flag) => [flag, true])) as Record<PlanFlag, boolean>;

export const exampleLocale = { timeZone: "America/Sao_Paulo", language: "pt" } as const;

export function exampleSession(
  claims: AccessClaims,
  actor: Partial<LiveSession["actor"]> = {},
  session: Partial<LiveSession> = {},
): LiveSession {
  return {
    isActive: true,
    paid: null,
    plan: allowEverything,
    locale: exampleLocale,
    ...session,
    actor: {
      kind: "user",
      name: `user ${claims.userId}`,
      profile: "user",
      isSuper: false,
      allTicket: false,
      queueIds: [],
      ...claims,
      ...actor,
    },
  };
}

export function exampleFeature(sessions: ExampleSessions): Feature {
  return {
    name: "example",
    loadSession: () => async (claims) => sessions.get(claims.sessionId),
    routes(api) {
      serve(api, notes.list, async (ctx, { query }) => ({
        ...query,
        me: ctx.actor.kind === "user" ? ctx.actor.userId : 0,
        at: ctx.now(),
      }));
      serve(api, notes.write, async (ctx, { params, body }) => {
        ctx.emit({ type: "note.written", payload: { noteId: params.noteId, text: body.text } });
        if (body.text === "explode") {
          throw new Error("the cause stays in the log");
        }
        return { id: params.noteId, text: body.text };
      });
      serve(api, notes.upload, async (_ctx, { files }) =>
        files.map(({ name, contentType, size }) => ({ name, contentType, size })),
      );
      serve(
        api,
        notes.fail,
        async (_edge, { params }) => {
          if (params.code in errorStatus) {
            throw new AppError(params.code as keyof typeof errorStatus, { ticket: { id: 7, user: { name: "Ana" } } });
          }
          throw new Error("secret cause");
        },
        { transaction: "none" },
      );
      for (const each of [notes.forAdmins, notes.forSuper, notes.forRule, notes.forPlan, notes.forPayers]) {
        serve(api, each, async () => "ok" as const, { transaction: "none" });
      }
    },
    events: () => ({
      "note.written": async (batch) =>
        [...Map.groupBy(batch, ({ payload }) => payload["noteId"])].map(([noteId, own]) => ({
          rooms: [`note:${String(noteId)}`],
          event: "company-note",
          payload: { noteId, text: own.at(-1)?.payload["text"], from: own.length },
        })),
      "note.private": async (batch) =>
        batch.map(({ payload }) => ({ rooms: [userRoom(Number(payload["userId"]))], event: "company-note", payload })),
      "note.broken": async () => {
        throw new Error("a view that cannot be read");
      },
    }),
    joins: () => ({
      joinNote: ({ actor }, noteId) =>
        typeof noteId === "number" && (noteId < 100 || actor.queueIds.includes(noteId)) ? [`note:${noteId}`] : null,
    }),
    eventWatchers: ({ sessions: known }) => ({
      "session.ended": ({ payload }, sockets) => {
        const sessionId = String(payload["sessionId"]);
        known.forgetSession(sessionId);
        sockets.endSession(sessionId);
      },
      "user.updated": ({ payload }, sockets) => {
        known.forgetUser(Number(payload["userId"]));
        sockets.resync(Number(payload["userId"]));
      },
    }),
  };
}
