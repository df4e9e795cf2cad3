import { undoMergeWithinMinutes } from "@prosa/contract";
import { linesOf } from "#server/features/connections/index.ts";
import type { Feature } from "#server/platform/feature.ts";
import { publishContact, publishContactDeleted, publishImportProgress } from "./contacts.realtime.ts";
import { contactsRoutes, importExportRoutes } from "./contacts.routes.ts";
import type { OnBlockChanged, OnDeleted } from "./contacts.service.ts";
import type { FindErasedNumbers } from "./import/index.ts";
import { DELETE_FILE_TASK, deleteSheet, findReferencedSheets, importContacts } from "./import/index.ts";
import { deleteOldMerges } from "./people/index.ts";
import { checkNumberByLine } from "./number-check.ts";
import type { CheckNumber } from "./number-check.ts";
import type { ContactMergeParticipants } from "./people/index.ts";
import { fetchPictureJob, findReferencedPictures, PICTURE_TASK } from "./pictures/index.ts";
import type { PictureJobOptions } from "./pictures/index.ts";
import { contactData } from "./erase/index.ts";

export interface ContactsOptions {
  /** Passed in by app: contacts lie below the features that own tickets, messages and notes. */
  readonly mergeParticipants: ContactMergeParticipants;
  readonly onBlockChanged: OnBlockChanged;
  readonly onDeleted: OnDeleted;
  readonly findErasedNumbers: FindErasedNumbers;
  /** A test replaces the line's answer. */
  readonly checkNumber?: CheckNumber;
  /** A test replaces the lines and the pace. */
  readonly pictures?: Partial<Pick<PictureJobOptions, "findLine" | "gapMs">>;
}

export function contactsFeature({
  mergeParticipants,
  onBlockChanged,
  onDeleted,
  findErasedNumbers,
  checkNumber,
  pictures,
}: ContactsOptions): Feature {
  return {
    name: "contacts",
    personalData: contactData(onDeleted),
    routes(api) {
      contactsRoutes(api, {
        mergeParticipants,
        onBlockChanged,
        onDeleted,
        checkNumber: checkNumber ?? checkNumberByLine(api.services, () => linesOf(api.services)),
      });
      importExportRoutes(api);
    },
    files: [
      { folder: "imports", referenced: findReferencedSheets },
      { folder: "pictures", referenced: findReferencedPictures },
    ],
    renamedTasks: [DELETE_FILE_TASK],
    tasks: (services) => ({
      "contacts.import": importContacts(services.storage, { signer: services.signer, findErasedNumbers }),
      [DELETE_FILE_TASK.name]: deleteSheet(services.storage),
      [PICTURE_TASK]: fetchPictureJob({
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
      "contact.created": publishContact("create", media),
      "contact.updated": publishContact("update", media),
      "contact.deleted": publishContactDeleted,
      "contact.import-changed": publishImportProgress,
    }),
  };
}
