import { linesOf } from "#server/features/connections/index.ts";
import type { FindErasedNumbers } from "#server/features/contacts/index.ts";
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

export interface ContactListsOptions {
  /** Passed in by app: contact lists lie below the feature that erases people. */
  readonly findErasedNumbers: FindErasedNumbers;
  /** A test replaces the lines and the pace. */
  readonly check?: Partial<NumberCheckOptions>;
}

export function contactListsFeature({ findErasedNumbers, check }: ContactListsOptions): Feature {
  return {
    name: "contact-lists",
    personalData: contactListData,
    routes: contactListsRoutes,
    files: [{ folder: sheetFolder, referenced: findReferencedSheets }],
    tasks: (services) => ({
      [IMPORT_TASK]: importIntoList(services.storage, { signer: services.signer, findErasedNumbers }),
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
