/** How does a file become an import? Its columns are looked at first; people are asked where the headings do not tell. */
import { contactImports, importFailures, type ImportColumns, type SheetPreview } from "@prosa/contract/contact-imports";
import { useState } from "react";
import { ApiError } from "#web/lib/api/apiError.ts";
import { call } from "#web/lib/session/session.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { toast } from "#web/ui/Toast.tsx";
import { contactListMessages } from "./contact-list.i18n.ts";

export interface FileImport {
  /** Share of the file that was sent, 0 to 1; undefined while nothing is sent. */
  readonly progress: number | undefined;
  /** A file whose columns a person has to choose. */
  readonly asking: { readonly file: File; readonly preview: SheetPreview } | undefined;
  readonly open: (file: File) => Promise<void>;
  readonly start: (columns: ImportColumns) => Promise<void>;
  readonly cancel: () => void;
}

/** Starts the import of a file by these columns. `onProgress`: share of the file that was sent, 0 to 1. */
export type StartImport = (
  file: File,
  columns: ImportColumns,
  onProgress: (progress: number) => void,
) => Promise<unknown>;

/** The import of a file, from its choice to its start (C-03, K-02). Nothing is imported before the columns are clear. */
export function useFileImport(start: StartImport): FileImport {
  const t = useMessages(contactListMessages);
  const [progress, setProgress] = useState<number>();
  const [asking, setAsking] = useState<FileImport["asking"]>();

  const sending = async (work: () => Promise<void>) => {
    setProgress(0);
    try {
      await work();
    } catch (error) {
      const failure =
        error instanceof ApiError ? importFailures.find((each) => each === error.details.failure) : undefined;
      if (failure) {
        toast.error(t(`failure_${failure}`));
      } else {
        toast.failure(error);
      }
    } finally {
      setProgress(undefined);
    }
  };
  const send = async (file: File, columns: ImportColumns) => {
    await start(file, columns, setProgress);
    setAsking(undefined);
  };

  return {
    progress,
    asking,
    open: (file) =>
      sending(async () => {
        setAsking(undefined);
        const preview = await call(contactImports.preview, { files: [file], onProgress: setProgress });
        if (isClear(preview)) {
          await send(file, columnsOf(preview));
        } else {
          setAsking({ file, preview });
        }
      }),
    start: (columns) => sending(async () => asking && send(asking.file, columns)),
    cancel: () => setAsking(undefined),
  };
}

/** Whether there is nothing to ask: the headings tell all columns. */
function isClear({ unclear, columns }: SheetPreview): boolean {
  return unclear === null && columns.every(({ role }) => role !== "ignore");
}

/** The columns of a preview as the import wants them: a role for each, the empty ones included. */
export function columnsOf({ columns, width, headingLine }: SheetPreview): ImportColumns {
  const roles = Array.from({ length: width }, (_, at) => columns.find(({ index }) => index === at)?.role ?? "ignore");
  return { headingLine, roles };
}
