import type { Announcement } from "@prosa/contract/announcements";
import type { InfiniteData } from "@tanstack/react-query";
import type { RealtimeHandlers } from "#web/lib/realtime/realtime.ts";
import { dropRow, putNewestFirst, type Page } from "#web/lib/records/resource.ts";
import { activeOptions, announcementsResource } from "./announcements.api.ts";

type Pages = InfiniteData<Page<Announcement>, number>;

/** Updates the bell and the operator's list when an announcement is created, changed or deleted. */
export const announcementsRealtime: RealtimeHandlers = {
  announcement: (event, queryClient) => {
    const inBell = (change: (pages: Pages) => Pages) =>
      queryClient.setQueryData<Pages>(activeOptions.queryKey, (pages) => pages && change(pages));

    if (event.action === "delete") {
      announcementsResource.drop(queryClient, event.id);
      inBell((pages) => dropRow(pages, event.id));
      return;
    }
    const { record } = event;
    announcementsResource.put(queryClient, record);
    inBell((pages) => (record.status ? putNewestFirst(pages, record) : dropRow(pages, record.id)));
  },
};
