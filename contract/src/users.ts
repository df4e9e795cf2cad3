import { z } from "zod";
import { done, emailAddress, id, idParams, instant, name2to50, pageNumber, paged, searchParam } from "./common.ts";
import { endpoint } from "./endpoint.ts";
import { profiles } from "./permissions.ts";

export const user = z.object({
  id: z.number().int(),
  name: z.string(),
  email: z.string(),
  profile: z.enum(profiles),
  allTicket: z.enum(["enabled", "desabled"]),
  whatsappId: z.number().int().nullable(),
  super: z.boolean(),
  companyId: z.number().int(),
  online: z.boolean(),
  queues: z.array(z.object({ id: z.number().int(), name: z.string(), color: z.string() })),
  /** Set until an invited user has accepted: they cannot sign in yet. */
  invitation: z.object({ expiresAt: instant }).nullable(),
});
export type User = z.output<typeof user>;

/** A user as the colleagues see them, who may not read e-mails and rights of others. */
export const colleague = user.pick({ id: true, name: true, profile: true, online: true, queues: true });
export type Colleague = z.output<typeof colleague>;

export const userBody = z.object({
  name: name2to50,
  email: emailAddress,
  password: z.string().min(5, "Too Short!").max(50, "Too Long!"),
  profile: z.enum(profiles).default("user"),
  allTicket: z.enum(["enabled", "desabled"]).default("desabled"),
  whatsappId: id.nullable().default(null),
  queueIds: z.array(id).max(200).default([]),
});

export type UserBody = z.output<typeof userBody>;

/** Absent fields stay unchanged; so does the password when it is empty (specification 1 section 5: optional on edit). */
export const userChanges = z.object({
  name: name2to50.optional(),
  email: emailAddress.optional(),
  password: z.union([z.literal(""), userBody.shape.password]).optional(),
  /** Current password, required to change the own password or e-mail. */
  currentPassword: z.string().max(200).optional(),
  profile: z.enum(profiles).optional(),
  allTicket: z.enum(["enabled", "desabled"]).optional(),
  whatsappId: id.nullable().optional(),
  queueIds: z.array(id).max(200).optional(),
});
export type UserChanges = z.output<typeof userChanges>;

export const users = {
  /** Names and queues of colleagues, for pickers. */
  lookup: endpoint({
    method: "GET",
    path: "/users/list",
    summary: "Everybody of the company, for a picker; without invited users who have not accepted yet",
    access: { who: "session" },
    query: z.object({ companyId: z.string().optional() }),
    response: z.array(colleague),
  }),
  list: endpoint({
    method: "GET",
    path: "/users",
    summary: "Users, a page at a time: whole for an admin, with the fields of /users/list for everybody else",
    access: { who: "session" },
    query: z.object({ searchParam, pageNumber }),
    response: paged("users", z.union([user, colleague])),
  }),
  get: endpoint({
    method: "GET",
    path: "/users/:id",
    summary: "One user: oneself, or anybody for an admin",
    access: { who: "session" },
    params: idParams,
    response: user,
  }),
  create: endpoint({
    method: "POST",
    path: "/users",
    summary: "Add a user",
    access: { who: "admin" },
    body: userBody,
    response: user,
  }),
  update: endpoint({
    method: "PUT",
    path: "/users/:id",
    summary: "Change a user: one's own name, e-mail and password, or everything for an admin",
    access: { who: "session" },
    params: idParams,
    body: userChanges,
    response: user,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/users/:id",
    summary: "Delete a user; their open tickets wait again",
    access: { who: "admin" },
    params: idParams,
    response: done,
  }),
} as const;
