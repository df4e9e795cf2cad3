import { undoMergeWithinMinutes } from "@prosa/contract";
import { linesOf } from "#server/features/connections/index.ts";
import type { Feature } from "#server/platform/feature.ts";
import { tellContact, tellDeleted, tellImport } from "./contacts.realtime.ts";
import { addressBookRoutes, contactsRoutes } from "./contacts.routes.ts";
import { dropSheet, importContacts } from "./imports.jobs.ts";
import { filesOfImports } from "./imports.queries.ts";
import { DELETE_FILE_TASK } from "./imports.service.ts";
import { deleteOldMerges } from "./merge.queries.ts";
import { askLines } from "./number-check.ts";
import type { CheckNumber } from "./number-check.ts";
import type { Belongings } from "./people.ts";
import { fetchPicture } from "./pictures.jobs.ts";
import type { PictureParts } from "./pictures.jobs.ts";
import { filesOfPictures } from "./pictures.queries.ts";
import { PICTURE_TASK } from "./pictures.ts";

export interface ContactsOptions {
  /** Given by the features that own them, because contacts lie below. */
  readonly belongings: Belongings;
  /** A test says itself what a line would answer. */
  readonly checkNumber?: CheckNumber;
  /** Other lines, another pace. */
  readonly pictures?: Partial<Pick<PictureParts, "findLine" | "gapMs">>;
}

export function contactsFeature({ belongings, checkNumber, pictures }: ContactsOptions): Feature {
  return {
    name: "contacts",
    routes(api) {
      contactsRoutes(api, {
        belongings,
        checkNumber: checkNumber ?? askLines(api.services, () => linesOf(api.services)),
      });
      addressBookRoutes(api);
    },
    files: [
      { folder: "imports", named: filesOfImports },
      { folder: "pictures", named: filesOfPictures },
    ],
    renamedTasks: [DELETE_FILE_TASK],
    tasks: (services) => ({
      "contacts.import": importContacts(services.storage),
      [DELETE_FILE_TASK.name]: dropSheet(services.storage),
      [PICTURE_TASK]: fetchPicture({
        findLine: (id) => linesOf(services).find(id),
        storage: services.storage,
        ...pictures,
      }),
    }),
    crons: () => [
      {
        name: "contacts.prune-merges",
        formerly: { formerName: "contacts.forget-merges", since: "0.2.0" },
        everySeconds: 3_600,
        run: ({ db, clock }) =>
          db.systemTx((tx) => deleteOldMerges(tx, new Date(clock.now().getTime() - undoMergeWithinMinutes * 60_000))),
      },
    ],
    events: ({ media }) => ({
      "contact.created": tellContact("create", media),
      "contact.updated": tellContact("update", media),
      "contact.deleted": tellDeleted,
      "contact.import-changed": tellImport,
    }),
  };
}
