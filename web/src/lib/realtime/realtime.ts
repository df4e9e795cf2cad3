/**
 * Dispatches socket events to the features' handlers.
 *
 * Each feature registers handlers by the suffix of the wire name (`company-7-ticket` → `ticket`); a handler patches the query
 * cache and nothing else. The tab that made a change receives it the same way.
 */
import type { SessionUser } from "@prosa/contract/auth";
import type { WirePayload, WireSuffix } from "@prosa/contract/events";
import type { QueryClient } from "@tanstack/react-query";
import { keepInvalidated } from "#web/lib/records/keep-invalidated.ts";

export type RealtimeHandler<P> = (payload: P, queryClient: QueryClient, user: SessionUser) => void;

/** Handlers of one feature. */
export type RealtimeHandlers = { readonly [S in WireSuffix]?: RealtimeHandler<WirePayload<S>> };

type AnyHandler = RealtimeHandler<unknown>;
const handlers = new Map<string, Set<AnyHandler>>();

/** Registers a feature's handlers; an event may have several. Returns the function that removes them. */
export function registerRealtime(added: RealtimeHandlers): () => void {
  const entries = Object.entries(added) as [WireSuffix, AnyHandler][];
  for (const [suffix, handler] of entries) {
    handlers.set(suffix, (handlers.get(suffix) ?? new Set()).add(handler));
  }
  return () => entries.forEach(([suffix, handler]) => handlers.get(suffix)?.delete(handler));
}

/** Calls the handlers of a packet; false when there are none. */
export function dispatch(wireName: string, payload: unknown, queryClient: QueryClient, user: SessionUser): boolean {
  const suffix = suffixOf(wireName, user.companyId);
  const interested = suffix === undefined ? undefined : handlers.get(suffix);
  keepInvalidated(queryClient, () => interested?.forEach((handler) => handler(payload, queryClient, user)));
  return (interested?.size ?? 0) > 0;
}

/**
 * `company-7-ticket` → `ticket`, `company-7-chat-12` → `chat`; undefined for another company's or an unknown name.
 * Announcements of the operator have one name for all companies.
 */
export function suffixOf(wireName: string, companyId: number): string | undefined {
  if (wireName === "company-announcement") {
    return "announcement";
  }
  const prefix = `company-${companyId}-`;
  if (!wireName.startsWith(prefix)) {
    return undefined;
  }
  return wireName.slice(prefix.length).replace(/-\d+$/, "");
}
