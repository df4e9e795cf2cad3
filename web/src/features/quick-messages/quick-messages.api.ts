import { quickMessages } from "@prosa/contract/quick-messages";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { createResource } from "#web/lib/records/resource.ts";
import { call } from "#web/lib/session/session.ts";
import { quickMessagesKey as key } from "./quick-replies.api.ts";

/** The list of the quick-message screen: shared and own ones (O-01). */
export const quickMessagesResource = createResource({
  key,
  list: quickMessages.list,
  page: ({ records, count, hasMore }) => ({ items: records, count, hasMore }),
  create: quickMessages.create,
  update: quickMessages.update,
  remove: quickMessages.remove,
});

/** Sets the file of a quick message; `null` removes it. */
export function useQuickMessageFile() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, file }: { readonly id: number; readonly file: File | null }) =>
      file
        ? call(quickMessages.upload, { params: { id }, body: {}, files: [file] })
        : call(quickMessages.removeMedia, { params: { id } }),
    onSuccess: (saved) => {
      quickMessagesResource.put(queryClient, saved);
      void queryClient.invalidateQueries({ queryKey: [key] });
    },
  });
}
