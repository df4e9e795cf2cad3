import type { KnowledgeSource } from "@prosa/contract";
import type { SourceRow } from "./knowledge.queries.ts";

export function sourceView(row: SourceRow): KnowledgeSource {
  const { id, name, kind, state, failure, pages, passages, vectors, prompts } = row;
  return {
    ...{ id, name, kind, state, failure, pages, passages, ...vectors },
    fileName: row.media_name,
    fileSize: row.media_size,
    isForAll: row.is_for_all,
    prompts: [...prompts],
    updatedAt: row.updated_at.toISOString(),
  };
}
