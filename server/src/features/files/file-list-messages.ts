import type { Ctx } from "#server/platform/ctx.ts";
import { findFileLists } from "./files.queries.ts";

/** A stored file of a list, as it is sent. */
export interface ListedFile {
  readonly path: string;
  readonly name: string;
  /** The MIME type, detected from the bytes. */
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  /** Variables are not resolved. "" for none. */
  readonly caption: string;
}

export interface FileListMessages {
  /** Sent before the files; variables are not resolved. "" if the list is gone. */
  readonly text: string;
  readonly files: readonly ListedFile[];
}

/** What is sent of a file list: its message, then its files in order. Nothing of a list that is gone. */
export async function fileListMessages(ctx: Ctx, fileListId: number): Promise<FileListMessages> {
  const [list] = await findFileLists(ctx, [fileListId]);
  const files = (list?.options ?? []).flatMap((option) =>
    option.media_path === null
      ? []
      : {
          path: option.media_path,
          name: option.media_name ?? "",
          type: option.media_type ?? "application/octet-stream",
          size: option.media_size ?? 0,
          caption: option.name,
        },
  );
  return { text: list?.message ?? "", files };
}
