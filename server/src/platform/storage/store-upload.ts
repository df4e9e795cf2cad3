import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { AppError } from "../ctx.ts";
import { storageKey } from "./storage.ts";
import type { Storage } from "./storage.ts";

/** The columns of a row that carries a file. `media_type` is the detected MIME type, `media_size` in bytes. */
export interface FileColumns {
  readonly media_path: string;
  readonly media_name: string;
  readonly media_type: string;
  readonly media_size: number;
}

/**
 * Stores an upload in a folder of the company, before the transaction of `work` that refers to it: no row lacks its file. If
 * `work` is refused the file is deleted again.
 */
export async function withStoredUpload<T>(
  storage: Storage,
  { companyId, folder }: { readonly companyId: number; readonly folder: string },
  upload: { readonly name: string; readonly contentType: string; stream(): Readable },
  work: (file: FileColumns) => Promise<T>,
): Promise<T> {
  const { name, contentType } = upload;
  const key = storageKey(companyId, folder, randomUUID());
  const { size } = await storage.put(key, upload.stream(), { contentType });
  return deletingIfRefused(storage, [key], () =>
    work({ media_path: key, media_name: name, media_type: contentType, media_size: size }),
  );
}

/**
 * Runs `work`, the transaction whose rows refer to these stored files; where it is refused, which is an AppError, the files are
 * deleted. After any other error, such as a connection that broke before COMMIT was answered, nobody knows whether the rows are
 * there, and none may lack its file: the nightly sweep deletes files without a row.
 */
export async function deletingIfRefused<T>(
  storage: Storage,
  keys: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) {
      // What failed is what the caller must hear of.
      await Promise.allSettled(keys.map((key) => storage.delete(key)));
    }
    throw error;
  }
}
