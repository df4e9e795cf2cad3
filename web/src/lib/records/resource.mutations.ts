/** How is a row of a resource saved and deleted? Shared by paged and unpaged resources. */
import type { AnyEndpoint, BodyIn, ResponseOf } from "@prosa/contract/endpoint";
import { useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { callOnce } from "#web/lib/api/call-once.ts";
import { call } from "#web/lib/session/session.ts";

export interface SaveEndpoints<C extends AnyEndpoint, U extends AnyEndpoint> {
  readonly key: string;
  readonly create?: C;
  readonly update?: U;
}

/** What a form saves: a new record whole, or of one that exists what was changed. */
export type Saved<C extends AnyEndpoint, U extends AnyEndpoint> =
  { readonly id?: undefined; readonly body: BodyIn<C> } | { readonly id: number; readonly body: BodyIn<U> };

/**
 * Creates without an id, updates with one. It is done when the server has answered (decision 0094): `show` puts what was saved into the
 * lists, so that a form opened again has it, and they are fetched again meanwhile.
 */
export function useSaveRecord<T extends object, C extends AnyEndpoint, U extends AnyEndpoint>(
  parts: SaveEndpoints<C, U>,
  show: (queryClient: QueryClient, saved: Partial<T> & { readonly id: number }) => void,
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, body }: { readonly id?: number | undefined; readonly body: BodyIn<C> | BodyIn<U> }) => {
      const endpoint = id === undefined ? parts.create : parts.update;
      if (!endpoint) {
        throw new Error(`${parts.key} cannot be saved`);
      }
      return id === undefined
        ? callLoosely(endpoint, { body }, callOnce)
        : callLoosely(endpoint, { params: idParams(endpoint, id), body });
    },
    onSuccess: (saved, { id }) => {
      if (id !== undefined) {
        // the contract answers a change with the record
        show(queryClient, { ...(saved as Partial<T>), id });
      }
      void queryClient.invalidateQueries({ queryKey: [parts.key] });
    },
  });
}

/** Deletes a row by its id; the caller updates the cache. */
export async function removeRecord(key: string, endpoint: AnyEndpoint | undefined, id: number): Promise<void> {
  if (!endpoint) {
    throw new Error(`${key} cannot be deleted`);
  }
  await callLoosely(endpoint, { params: idParams(endpoint, id) });
}

/** Calls an endpoint with untyped input: the generics of a resource tie the types together outside. */
export function callLoosely<E extends AnyEndpoint>(
  endpoint: E,
  input: Record<string, unknown>,
  through = call,
): Promise<ResponseOf<E>> {
  return (through as (endpoint: E, input: Record<string, unknown>) => Promise<ResponseOf<E>>)(endpoint, input);
}

/** `/queue/:id`, `/queue/:queueId`: whatever the endpoint calls its one parameter. */
function idParams(endpoint: AnyEndpoint, id: number): Record<string, number> {
  return { [/:(\w+)/.exec(endpoint.path)?.[1] ?? "id"]: id };
}
