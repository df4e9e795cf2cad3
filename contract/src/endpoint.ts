import type { z } from "zod";
import type { PermissionRule } from "./permissions.ts";
import type { PlanFlag } from "./plan-flags.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** Access rule of an endpoint: checked by the server before the handler, and by the web app before it shows the action. */
export interface Access {
  /** `public`: anybody. `session`: signed in. `admin`: profile admin (or super). `super`: the operator. `token`: a connection's own token. */
  readonly who: "public" | "session" | "admin" | "super" | "token";
  /** Additional permission rule of `permissions.ts`. */
  readonly rule?: PermissionRule;
  /** Required flag of the company's plan. */
  readonly plan?: PlanFlag;
  /** Allowed for admins of an overdue company, so that they can pay. */
  readonly whenOverdue?: true;
}

/** One call of the API: URL, who may, and the schemas of what goes in and out. Server, web, OpenAPI and tests read the same value. */
export interface Endpoint<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> {
  readonly method: Method;
  /** Fastify syntax: `/tickets/:ticketId`. */
  readonly path: string;
  readonly summary: string;
  readonly access: Access;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** The body may also (or only) be multipart/form-data with files under this field. */
  readonly files?: { readonly field: string; readonly max: number; readonly required?: true };
  /** It may take longer than half a minute: it asks a language model or another system, or reads much. The browser waits longer. */
  readonly isSlow?: true;
  readonly response: R;
}

/** Declares an endpoint and keeps the types of its schemas. */
export function endpoint<
  P extends z.ZodType = z.ZodUndefined,
  Q extends z.ZodType = z.ZodUndefined,
  B extends z.ZodType = z.ZodUndefined,
  R extends z.ZodType = z.ZodType,
>(definition: Endpoint<P, Q, B, R>): Endpoint<P, Q, B, R> {
  return definition;
}

export type AnyEndpoint = Endpoint;
export type ParamsOf<E> = E extends Endpoint<infer P, infer _Q, infer _B, infer _R> ? z.output<P> : never;
export type QueryOf<E> = E extends Endpoint<infer _P, infer Q, infer _B, infer _R> ? z.output<Q> : never;
export type BodyOf<E> = E extends Endpoint<infer _P, infer _Q, infer B, infer _R> ? z.output<B> : never;
export type ResponseOf<E> = E extends Endpoint<infer _P, infer _Q, infer _B, infer R> ? z.output<R> : never;
/** Input of a caller, before defaults. */
export type ParamsIn<E> = E extends Endpoint<infer P, infer _Q, infer _B, infer _R> ? z.input<P> : never;
export type QueryIn<E> = E extends Endpoint<infer _P, infer Q, infer _B, infer _R> ? z.input<Q> : never;
export type BodyIn<E> = E extends Endpoint<infer _P, infer _Q, infer B, infer _R> ? z.input<B> : never;
