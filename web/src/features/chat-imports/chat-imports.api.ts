import { chatImports, type ChatPreview } from "@prosa/contract/chat-imports";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "#web/lib/session/session.ts";

const isRunning = ({ state }: { readonly state: string }) => state === "waiting" || state === "running";

/** Asked for again each second while one runs: no event tells of it. */
export const chatImportsOptions = (id: number) =>
  queryOptions({
    queryKey: ["chat-imports", id],
    queryFn: ({ signal }) => call(chatImports.list, { params: { id }, signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.records.some(isRunning) ? 1_000 : false),
  });

/** The chosen file, and what it holds. */
export interface ReadChat {
  readonly file: File;
  readonly preview: ChatPreview;
}

export function usePreviewChat(id: number) {
  return useMutation({
    mutationFn: async (file: File): Promise<ReadChat> => ({
      file,
      preview: await call(chatImports.preview, { params: { id }, files: [file] }),
    }),
  });
}

export function useStartChatImport(id: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ file, me }: { readonly file: File; readonly me: string }) =>
      call(chatImports.start, { params: { id }, body: { me }, files: [file] }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["chat-imports", id] }),
  });
}
