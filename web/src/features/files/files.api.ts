import { fileLists, type FileList } from "@prosa/contract/files";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { callOnce } from "#web/lib/api/call-once.ts";
import type { RealtimeHandlers } from "#web/lib/realtime/realtime.ts";
import { createResource } from "#web/lib/records/resource.ts";
import { call } from "#web/lib/session/session.ts";

const key = "files";

/** The file lists screen (O-07). */
export const fileListsResource = createResource({
  key,
  list: fileLists.list,
  page: ({ files: items, count, hasMore }) => ({ items, count, hasMore }),
  create: fileLists.create,
  update: fileLists.update,
  remove: fileLists.remove,
});

/** Every file list of the company, by name, for pickers. */
export const fileListChoices = queryOptions({
  queryKey: [key, "lookup"],
  queryFn: async ({ signal }) => (await call(fileLists.list, { query: { companyId: "own" }, signal })).files,
});

/** Fetches again after a change: the list is in the order of names. */
export const fileListsRealtime: RealtimeHandlers = {
  file: (_, queryClient) => void queryClient.invalidateQueries({ queryKey: [key] }),
};

/** An option of the form: `stored` is the file that it has, `file` one that was just chosen. */
export interface OptionValues {
  /** For React, for the ids of options that were saved before an upload failed, and of a new one the id by which the server knows it. */
  readonly key: string;
  readonly id: number | undefined;
  readonly name: string;
  readonly stored: { readonly name: string; readonly url: string } | null;
  readonly file: File | null;
}

/** A file list in the form. */
export interface ListValues {
  readonly name: string;
  readonly message: string;
  readonly options: readonly OptionValues[];
}

/** The options that the form has seen: of a list that exists no others are deleted. */
export interface KnownOptions {
  readonly knownOptionIds: readonly number[];
  /** Keys of the new ones that it has sent, also where the answer was lost. */
  readonly knownClientIds: readonly string[];
}

interface SaveInput {
  readonly id: number | undefined;
  readonly whole: ListValues;
  /** What is saved of a list that exists. */
  readonly changed: Partial<ListValues>;
  readonly known: KnownOptions;
  /** Called with the saved list before its files are uploaded. */
  readonly onSaved: (list: FileList) => void;
  readonly onProgress: (done: number) => void;
}

/** Saves a list with its options, and then uploads the files that were chosen, each for its option. */
export function useSaveFileList() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, whole, changed, known, onSaved, onProgress }: SaveInput) => {
      const saved =
        id === undefined
          ? // Without keys: the same files chosen again in another form are the same content.
            await callOnce(fileLists.create, { body: { ...whole, options: whole.options.map(optionBody) } })
          : await call(fileLists.update, { params: { id }, body: changesBody(changed, known) });
      onSaved(saved);
      const chosen = (changed.options ?? []).flatMap(({ file }, index) =>
        file ? [{ file, id: saved.options[index]?.id }] : [],
      );
      if (chosen.length > 0) {
        await call(fileLists.upload, {
          params: { id: saved.id },
          body: { typeArch: "fileList", id: chosen.map((each) => String(each.id)) },
          files: chosen.map(({ file }) => file),
          onProgress,
        });
      }
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: [key] }),
  });
}

/** Pure: without its options where they are as they were. Those that are known and left out of a body are deleted. */
export function changesBody({ options, ...texts }: Partial<ListValues>, known: KnownOptions) {
  if (!options) {
    return texts;
  }
  return {
    ...texts,
    options: options.map((option) => ({
      ...(option.id === undefined && { clientId: option.key }),
      ...optionBody(option),
    })),
    knownOptionIds: [...known.knownOptionIds],
    knownClientIds: [...known.knownClientIds],
  };
}

function optionBody({ id, name, stored, file }: OptionValues) {
  return {
    ...(id !== undefined && { id }),
    name,
    ...(!stored && !file && { path: null }),
  };
}
