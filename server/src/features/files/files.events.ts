import type { DomainEvent } from "#server/platform/ctx.ts";

/** Events after which what is known of file lists is stale. */
export const fileListEvents = ["fileList.created", "fileList.updated", "fileList.deleted"] as const;

export function fileListEvent(what: "created" | "updated" | "deleted", fileListId: number): DomainEvent {
  return { type: `fileList.${what}`, payload: { fileListId } };
}
