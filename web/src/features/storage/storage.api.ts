import { storage } from "@prosa/contract/storage";
import { useQuery } from "@tanstack/react-query";
import { call } from "#web/lib/session/session.ts";

/** Polled while the page is open: a full disk raises no event, because nothing can be stored. */
export function useFreeSpace() {
  return useQuery({
    queryKey: ["storage", "room"],
    queryFn: ({ signal }) => call(storage.room, { signal }),
    refetchInterval: 30_000,
    refetchOnMount: "always",
  });
}
