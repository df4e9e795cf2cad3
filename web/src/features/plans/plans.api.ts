import { plans } from "@prosa/contract/plans";
import { createUnpagedResource } from "#web/lib/records/resource.unpaged.ts";

/** Every plan, also those that are not offered (Y-02). */
export const plansResource = createUnpagedResource({
  key: "plans",
  list: plans.list,
  rows: (answer) => answer,
  create: plans.create,
  update: plans.update,
  remove: plans.remove,
});
