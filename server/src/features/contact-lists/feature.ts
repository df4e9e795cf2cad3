import { linesOf } from "#server/features/connections/index.ts";
import type { Feature } from "#server/platform/feature.ts";
import { checkNumbers, NUMBER_CHECK_TASK } from "./check/index.ts";
import type { NumberCheckOptions } from "./check/index.ts";
import {
  publishImport,
  publishItem,
  publishItemDeleted,
  publishList,
  publishListDeleted,
  publishReload,
} from "./contact-lists.realtime.ts";
import { contactListsRoutes, sheetFolder } from "./contact-lists.routes.ts";
import { DELETE_SHEET_TASK, deleteSheet, findReferencedSheets, IMPORT_TASK, importIntoList } from "./import/index.ts";
import { contactListData } from "./erase-items.queries.ts";

/** `check`: a test replaces the lines and the pace. */
export function contactListsFeature(check: Partial<NumberCheckOptions> = {}): Feature {
  return {
    name: "contact-lists",
    personalData: contactListData,
    routes: contactListsRoutes,
    files: [{ folder: sheetFolder, referenced: findReferencedSheets }],
    tasks: (services) => ({
      [IMPORT_TASK]: importIntoList(services.storage),
      [DELETE_SHEET_TASK]: deleteSheet(services.storage),
      [NUMBER_CHECK_TASK]: checkNumbers({ lines: () => linesOf(services), ...check }),
    }),
    events: () => ({
      "contactList.created": publishList("create"),
      "contactList.updated": publishList("update"),
      "contactList.deleted": publishListDeleted,
      "contactList.importChanged": publishImport,
      "contactListItem.created": publishItem("create"),
      "contactListItem.updated": publishItem("update"),
      "contactListItem.deleted": publishItemDeleted,
      "contactListItem.reloaded": publishReload,
    }),
  };
}
