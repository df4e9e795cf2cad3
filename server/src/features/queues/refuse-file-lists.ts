import { AppError } from "#server/platform/ctx.ts";

interface FileListReference {
  readonly fileListId?: number | null | undefined;
}

/**
 * File lists are not implemented yet, so every reference to one throws ERR_NOT_FOUND. The feature that adds them replaces
 * this with a check that the list is the company's.
 */
export function refuseFileLists({ fileListId }: FileListReference): void {
  if (fileListId != null) {
    throw new AppError("ERR_NOT_FOUND", { fileListId });
  }
}
