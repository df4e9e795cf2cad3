import { createReadStream, createWriteStream } from "node:fs";
import type { ReadStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { AnyEndpoint } from "@prosa/contract";
import type { MultipartFile } from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import { AppError } from "../../ctx.ts";
import { shortFileName } from "../../storage/index.ts";
import { validationError, refuseUnstorableText } from "./parse-input.ts";
import { sniffType } from "./upload-types.ts";

/** A file that came with a request, on disk until the answer is out. */
export interface Upload {
  /** The sender's name for it, without folders. */
  readonly name: string;
  /** By its bytes, not by what the sender says. */
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
  readonly path: string;
  stream(): ReadStream;
}

export interface Multipart {
  /** Text fields; a name that comes twice is an array. */
  readonly body: Readonly<Record<string, string | string[]>>;
  readonly files: readonly Upload[];
  /** Removes the temporary files. */
  dispose(): Promise<void>;
}

export interface UploadLimits {
  /** Bytes of one file. */
  readonly uploadBytes: number;
  readonly tempDir: string;
}

/** Streams the parts to temporary files, each within its limits; throws 413, 415 or 400 and leaves nothing behind. */
export async function readMultipart(
  request: FastifyRequest,
  wanted: NonNullable<AnyEndpoint["files"]>,
  { uploadBytes, tempDir }: UploadLimits,
): Promise<Multipart> {
  refuseLongBoundary(request, wanted.field);
  const folder = await mkdtemp(join(tempDir, "upload-"));
  const dispose = () => rm(folder, { recursive: true, force: true });
  const fields = new Map<string, string[]>();
  const files: Upload[] = [];

  try {
    const limits = {
      fileSize: uploadBytes,
      files: wanted.max,
      fields: 100,
      fieldSize: 256 * 1024,
      parts: wanted.max + 100,
    };
    for await (const part of request.parts({ limits })) {
      if (part.type === "file") {
        refuseOtherField(part, wanted.field);
        files.push(await storePart(part, join(folder, String(files.length))));
      } else {
        if (part.valueTruncated || part.fieldnameTruncated) {
          throw new AppError("ERR_BODY_TOO_LARGE");
        }
        // A part of type application/json comes parsed.
        const text = typeof part.value === "string" ? part.value : JSON.stringify(part.value);
        refuseUnstorableText({ [part.fieldname]: part.value });
        fields.set(part.fieldname, [...(fields.get(part.fieldname) ?? []), text]);
      }
    }
    if (wanted.required && files.length === 0) {
      throw validationError({ [wanted.field]: "Required" });
    }
  } catch (error) {
    await dispose();
    throw isMalformed(error) ? validationError({ [wanted.field]: "The upload is not whole" }) : error;
  }

  const body = Object.fromEntries(
    [...fields].map(([name, [first = "", ...more]]) => [name, more.length > 0 ? [first, ...more] : first]),
  );
  return { body, files, dispose };
}

/** The parser's own words, which carry no code: no boundary, an end before the last one, headers that are none. */
function isMalformed(error: unknown): boolean {
  return error instanceof Error && !("code" in error) && /\b(multipart|part|boundary|needle)\b/i.test(error.message);
}

/** RFC 2046 allows 70 signs; the parser's search holds 256 and throws beyond. */
function refuseLongBoundary({ headers }: FastifyRequest, field: string): void {
  const [, quoted, plain = ""] = /\bboundary=(?:"([^"]*)"|([^;\s]*))/i.exec(headers["content-type"] ?? "") ?? [];
  if ((quoted ?? plain).length > 70) {
    throw validationError({ [field]: "The boundary is too long" });
  }
}

function refuseOtherField(part: MultipartFile, field: string): void {
  if (part.fieldname !== field) {
    // Unread bytes would keep the request open.
    part.file.resume();
    throw validationError({ [part.fieldname]: `Files come in the field ${field}` });
  }
}

async function storePart(part: MultipartFile, path: string): Promise<Upload> {
  await writeWithinLimit(part, path);
  // A part may be a file by its type alone, and then has no name, whatever the types say.
  const given = (part.filename as string | undefined) ?? "";
  const name = shortFileName(basename(given.replaceAll("\\", "/"))) || "file";
  refuseUnstorableText({ filename: name });
  const contentType = await sniffType(path, name);
  const { size } = await stat(path);
  return { name, contentType, size, path, stream: () => createReadStream(path) };
}

/** Stops at the limit: of an upload in chunks nobody knows whether it ends. */
async function writeWithinLimit(part: MultipartFile, path: string): Promise<void> {
  const tooLarge = new AbortController();
  part.file.once("limit", () => tooLarge.abort());
  if (part.file.truncated) {
    // It came in one piece, and was cut before anybody could listen.
    tooLarge.abort();
  }
  try {
    await pipeline(part.file, createWriteStream(path), { signal: tooLarge.signal });
  } catch (error) {
    throw tooLarge.signal.aborted ? new AppError("ERR_FILE_TOO_LARGE", { name: part.filename }) : error;
  }
}
