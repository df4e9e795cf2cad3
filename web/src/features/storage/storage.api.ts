import { storage } from "@prosa/contract/storage";
import { useQuery } from "@tanstack/react-query";
import { call } from "#web/lib/session.ts";

/** Asked again while the page is open: a disk fills up without an event, and nothing can be saved to tell of it. */
export function useRoom() {
  return useQuery({
    queryKey: ["storage", "room"],
    queryFn: ({ signal }) => call(storage.room, { signal }),
    refetchInterval: 30_000,
    refetchOnMount: "always",
  });
}
