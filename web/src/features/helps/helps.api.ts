import { helps } from "@prosa/contract/helps";
import { createUnpagedResource } from "#web/lib/records/resource.unpaged.ts";

/** Every help video, for the page of everybody and the operator's list (Y-03). */
export const helpsResource = createUnpagedResource({
  key: "helps",
  list: helps.lookup,
  rows: (helpVideos) => helpVideos,
  create: helps.create,
  update: helps.update,
  remove: helps.remove,
  hasNoEvents: true,
});
