import { knowledge, type KnowledgeSourceWithText } from "@prosa/contract/knowledge";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { RealtimeHandlers } from "#web/lib/realtime/realtime.ts";
import { createResource } from "#web/lib/records/resource.ts";
import { call } from "#web/lib/session/session.ts";

const key = "knowledge";

/** The sources of knowledge of the AI prompts (O-08). */
export const knowledgeResource = createResource({
  key,
  list: knowledge.list,
  page: ({ records, count, hasMore }) => ({ items: records, count, hasMore }),
  create: knowledge.create,
  update: knowledge.update,
  remove: knowledge.remove,
});

/** A source with its text, which the list leaves out. */
export const knowledgeSourceOf = (id: number) =>
  queryOptions({
    queryKey: [key, "one", id],
    queryFn: ({ signal }): Promise<KnowledgeSourceWithText> => call(knowledge.get, { params: { id }, signal }),
    // Whoever opens it edits the text as it is now, not one that was read before.
    gcTime: 0,
  });

/** Uploads the file of a source, which the server then reads. */
export function useKnowledgeFile() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, file }: { readonly id: number; readonly file: File }) =>
      call(knowledge.upload, { params: { id }, body: {}, files: [file] }),
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: [key, "list"] }),
  });
}

/** What a prompt would be given for a question. */
export function useKnowledgeSearch() {
  return useMutation({
    mutationFn: ({ question, promptId }: { readonly question: string; readonly promptId: number | undefined }) =>
      call(knowledge.search, { body: { question, ...(promptId !== undefined && { promptId }) } }),
  });
}

/** Fetches again when a file was read, or a prompt changes, whose name the list shows. */
export const knowledgeRealtime: RealtimeHandlers = {
  knowledge: (_, queryClient) => void queryClient.invalidateQueries({ queryKey: [key] }),
  prompt: (_, queryClient) => void queryClient.invalidateQueries({ queryKey: [key] }),
};
