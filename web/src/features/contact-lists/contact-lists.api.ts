import {
  contactListItems,
  contactLists,
  type ContactList,
  type ContactListImport,
} from "@prosa/contract/contact-lists";
import { queryOptions, useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { isRunning, type StartImport } from "#web/features/contacts/index.ts";
import { downloadCsv } from "#web/lib/api/download.ts";
import type { RealtimeHandlers } from "#web/lib/realtime/realtime.ts";
import { createResource } from "#web/lib/records/resource.ts";
import { call } from "#web/lib/session/session.ts";

/** The contact lists screen (K-01). */
export const contactListsResource = createResource({
  key: "contact-lists",
  list: contactLists.list,
  page: ({ records: items, count, hasMore }) => ({ items, count, hasMore }),
  create: contactLists.create,
  update: contactLists.update,
  remove: contactLists.remove,
});

/** The contacts of a list (K-02); its filter is `contactListId`. */
export const contactListItemsResource = createResource({
  key: "contact-list-items",
  list: contactListItems.list,
  page: ({ contacts: items, count, hasMore }) => ({ items, count, hasMore }),
  create: contactListItems.create,
  update: contactListItems.update,
  remove: contactListItems.remove,
});

/** One list with its counts and the state of its number check. */
export const contactListOptions = (id: number) =>
  queryOptions({
    queryKey: ["contact-lists", "one", id],
    queryFn: ({ signal }) => call(contactLists.get, { params: { id }, signal }),
  });

/** The latest import into a list. Events update it; polling covers a browser that missed one. */
export const listImportOptions = (id: number) =>
  queryOptions<ContactListImport | null>({
    queryKey: ["contact-lists", "import", id],
    queryFn: async ({ signal }) => (await call(contactLists.latestImport, { params: { id }, signal })).import,
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? 3_000 : false),
  });

/** Live updates of lists, their contacts and imports. */
export const contactListsRealtime: RealtimeHandlers = {
  ContactList: (event, queryClient) => {
    if (event.action === "delete") {
      contactListsResource.drop(queryClient, event.id);
      // Asked for again it is not found, and whoever looks at it learns so.
      void queryClient.resetQueries({ queryKey: contactListOptions(event.id).queryKey });
      return;
    }
    putList(queryClient, event.record);
    if (event.action === "create") {
      contactListsResource.add(queryClient, event.record);
    }
  },
  ContactListItem: (_, queryClient) =>
    void queryClient.invalidateQueries({ queryKey: [contactListItemsResource.key, "list"] }),
  contactListImport: ({ contactListId }, queryClient) =>
    void queryClient.invalidateQueries({ queryKey: listImportOptions(contactListId).queryKey }),
};

function putList(queryClient: QueryClient, list: ContactList): void {
  contactListsResource.put(queryClient, list);
  queryClient.setQueryData(contactListOptions(list.id).queryKey, list);
}

/** Starts the import of a file into a list. */
export function useListImport(contactListId: number): StartImport {
  const queryClient = useQueryClient();
  return async (file, columns, onProgress) => {
    const body = { columns: JSON.stringify(columns) };
    const params = { id: contactListId };
    const started = await call(contactLists.upload, { params, files: [file], body, onProgress });
    queryClient.setQueryData(listImportOptions(contactListId).queryKey, started);
  };
}

export function useCancelListImport(contactListId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (_importId: number) => call(contactLists.cancelImport, { params: { id: contactListId } }),
    onSuccess: ({ import: cancelled }) =>
      queryClient.setQueryData(listImportOptions(contactListId).queryKey, cancelled),
  });
}

/** Downloads every row that the latest import into a list refused. */
export function useRefusedRows(contactListId: number) {
  return useMutation({
    mutationFn: async () =>
      downloadCsv("recusados.csv", await call(contactLists.refusedRows, { params: { id: contactListId } })),
  });
}

/** Checks the numbers of a list on WhatsApp; `again`: those that were checked before too. */
export function useCheckNumbers(contactListId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (again: boolean) => call(contactLists.check, { params: { id: contactListId }, body: { again } }),
    onSuccess: (list) => putList(queryClient, list),
  });
}

export function useFillList(contactListId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { readonly tagIds: number[]; readonly searchParam: string }) =>
      call(contactLists.fill, { params: { id: contactListId }, body }),
    onSuccess: ({ contactList }) => {
      putList(queryClient, contactList);
      void queryClient.invalidateQueries({ queryKey: [contactListItemsResource.key] });
    },
  });
}
