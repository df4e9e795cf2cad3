import { contactImports, type ContactImport } from "@prosa/contract/contact-imports";
import { pageSize } from "@prosa/contract/common";
import {
  contacts,
  type Contact,
  type ContactBody,
  type ContactChanges,
  type ContactMerge,
} from "@prosa/contract/contacts";
import { queryOptions, useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { callOnce } from "#web/lib/api/call-once.ts";
import { downloadCsv } from "#web/lib/api/download.ts";
import type { RealtimeHandlers } from "#web/lib/realtime/realtime.ts";
import { createResource } from "#web/lib/records/resource.ts";
import { call } from "#web/lib/session/session.ts";
import { putContact, renewLookups } from "./contacts.api.ts";
import type { StartImport } from "./file-import.ts";

export const contactsResource = createResource({
  key: "contacts",
  list: contacts.list,
  page: ({ contacts: items, count, hasMore }) => ({ items, count, hasMore }),
  remove: contacts.remove,
  pageSize: pageSize.contacts,
});

const lists = ["contacts", "list"] as const;

/** Creates without an id, where every field is wanted; with one it saves what was changed. */
export function useSaveContact(id?: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({
      whole,
      changed,
    }: {
      readonly whole: ContactBody;
      readonly changed: ContactChanges;
    }): Promise<Contact> =>
      id === undefined
        ? callOnce(contacts.create, { body: whole })
        : call(contacts.update, { params: { id }, body: changed }),
    onSuccess: (saved) => {
      putContact(queryClient, saved);
      contactsResource.put(queryClient, saved);
      void renewLookups(queryClient);
      void queryClient.invalidateQueries({ queryKey: lists });
    },
  });
}

/** The user's latest import. Events update it; polling covers a browser that missed one. */
export const latestImportOptions = queryOptions({
  queryKey: ["contacts", "import"],
  queryFn: async ({ signal }) => (await call(contactImports.latest, { signal })).import,
  refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? 3_000 : false),
});

export function isRunning({ state }: Pick<ContactImport, "state">): boolean {
  return state === "waiting" || state === "running";
}

/** Live updates of the list (C-01) and of the import's progress (C-03). */
export const contactListRealtime: RealtimeHandlers = {
  contact: (event, queryClient) => {
    if (event.action === "delete") {
      contactsResource.drop(queryClient, event.contactId);
    } else {
      contactsResource[event.action === "create" ? "add" : "put"](queryClient, event.contact);
    }
  },
  contactImport: ({ hasEnded }, queryClient) => {
    void queryClient.invalidateQueries({ queryKey: latestImportOptions.queryKey });
    if (hasEnded) {
      void queryClient.invalidateQueries({ queryKey: lists });
    }
  },
};

/** Starts the import of a file into the address book. */
export function useContactImport(): StartImport {
  const queryClient = useQueryClient();
  return async (file, columns, onProgress) => {
    const body = { columns: JSON.stringify(columns) };
    const started = await call(contactImports.start, { files: [file], body, onProgress });
    queryClient.setQueryData(latestImportOptions.queryKey, started);
  };
}

/** Imports the contacts that the lines know from the phone (C-03). */
export function usePhoneImport() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => call(contactImports.start, { body: {} }),
    onSuccess: (started) => queryClient.setQueryData(latestImportOptions.queryKey, started),
  });
}

export function useCancelImport() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call(contactImports.cancel, { params: { id } }),
    onSuccess: (cancelled) => queryClient.setQueryData(latestImportOptions.queryKey, cancelled),
  });
}

/** Downloads contatos.csv (C-04). */
export function useExport() {
  return useMutation({ mutationFn: async () => downloadCsv("contatos.csv", await call(contacts.export)) });
}

export function useBlock() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, blocked }: { readonly id: number; readonly blocked: boolean }) =>
      call(contacts.block, { params: { id }, body: { blocked } }),
    onSuccess: (contact) => contactsResource.put(queryClient, contact),
  });
}

/** The merge that can still be undone. */
export interface LastMerge extends Pick<ContactMerge, "id" | "undoUntil"> {
  readonly goneName: string;
  readonly keptName: string;
}

/** Kept only in the cache: for the user who merged, as long as the app is open. */
export const lastMergeOptions = queryOptions<LastMerge | null>({
  queryKey: ["contacts", "merge"],
  queryFn: () => null,
  staleTime: Infinity,
  gcTime: Infinity,
});

export function useMerge() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ keptId, gone }: { readonly keptId: number; readonly gone: { readonly id: number } }) =>
      call(contacts.merge, { params: { id: keptId }, body: { contactId: gone.id } }),
    onSuccess: (merge, { gone }) => {
      contactsResource.drop(queryClient, gone.id);
      contactsResource.put(queryClient, merge.contact);
      // the merged contact may be on a page that is not fetched yet: fetch again for the count
      void queryClient.invalidateQueries({ queryKey: lists });
    },
  });
}

export function useUndoMerge() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call(contacts.undoMerge, { params: { id } }),
    onSettled: () => {
      clearLastMerge(queryClient);
      return queryClient.invalidateQueries({ queryKey: lists });
    },
  });
}

export function setLastMerge(queryClient: QueryClient, merge: LastMerge): void {
  queryClient.setQueryData(lastMergeOptions.queryKey, merge);
}

export function clearLastMerge(queryClient: QueryClient): void {
  queryClient.setQueryData(lastMergeOptions.queryKey, null);
}
