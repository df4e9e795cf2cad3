import { announcements, type Announcement } from "@prosa/contract/announcements";
import { pageSize } from "@prosa/contract/common";
import { infiniteQueryOptions, useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { createResource, nextPageOf, rowsOf, type Page } from "#web/lib/records/resource.ts";
import { call } from "#web/lib/session/session.ts";

const key = "announcements";

/** The operator's list, with inactive announcements (O-05). */
export const announcementsResource = createResource({
  key,
  list: announcements.list,
  page: ({ records, count, hasMore }) => ({ items: records, count, hasMore }),
  create: announcements.create,
  update: announcements.update,
  remove: announcements.remove,
  isNewestFirst: true,
});

/** The list of the bell: active announcements only, for the operator too (S-04). */
export const activeOptions = infiniteQueryOptions({
  queryKey: [key, "active"],
  queryFn: async ({ pageParam, signal }): Promise<Page<Announcement>> => {
    const query = { active: "true", pageNumber: pageParam } as const;
    const { records, count, hasMore } = await call(announcements.list, { query, signal });
    return { items: records, count, hasMore };
  },
  initialPageParam: 1,
  getNextPageParam: nextPageOf<Announcement>(pageSize.others),
});

/** Active announcements, newest first. `isFresh` fetches again on mount, because addresses of images expire. */
export function useActiveAnnouncements({ isFresh = false } = {}) {
  const query = useInfiniteQuery({ ...activeOptions, ...(isFresh && { refetchOnMount: "always" }) });
  return { ...query, rows: rowsOf(query.data?.pages ?? []) };
}

/** Uploads the image of an announcement, or removes it with `null`. */
export function useAnnouncementImage() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, file }: { readonly id: number; readonly file: File | null }) =>
      file
        ? call(announcements.upload, { params: { id }, body: {}, files: [file] })
        : call(announcements.removeMedia, { params: { id } }),
    onSuccess: (saved) => {
      announcementsResource.put(queryClient, saved);
      void queryClient.invalidateQueries({ queryKey: [key] });
    },
  });
}
