import { createReadStream, createWriteStream } from "node:fs";
import type { ReadStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { AnyEndpoint } from "@prosa/contract";
import type { MultipartFile } from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import { AppError } from "../../ctx.ts";
import { makeUploadFolder, shortFileName } from "../../storage/index.ts";
import { validationError, refuseUnstorableText } from "./parse-input.ts";
import { sniffType } from "./upload-types.ts";

/** An uploaded file, on disk until the response is sent. */
export interface Upload {
  /** File name from the client, without folders. */
  readonly name: string;
  /** Detected from its bytes, not from the client's header. */
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
  readonly path: string;
  stream(): ReadStream;
}

export interface Multipart {
  /** Text fields, their lines separated by \n; repeated names become an array. */
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

/** Streams the parts to temporary files within the limits; throws 413, 415 or 400 and deletes what was written. */
export async function readMultipart(
  request: FastifyRequest,
  spec: NonNullable<AnyEndpoint["files"]>,
  { uploadBytes, tempDir }: UploadLimits,
): Promise<Multipart> {
  refuseLongBoundary(request, spec.field);
  const folder = await makeUploadFolder(tempDir);
  const dispose = () => rm(folder, { recursive: true, force: true });
  const fields = new Map<string, string[]>();
  const files: Upload[] = [];

  try {
    const limits = {
      fileSize: uploadBytes,
      files: spec.max,
      fields: 100,
      fieldSize: 256 * 1024,
      parts: spec.max + 100,
    };
    for await (const part of request.parts({ limits })) {
      if (part.type === "file") {
        refuseOtherField(part, spec.field);
        files.push(await storePart(part, join(folder, String(files.length))));
      } else {
        if (part.valueTruncated || part.fieldnameTruncated) {
          throw new AppError("ERR_BODY_TOO_LARGE");
        }
        // A part of type application/json comes parsed.
        const text = typeof part.value === "string" ? withNewlines(part.value) : JSON.stringify(part.value);
        refuseUnstorableText({ [part.fieldname]: part.value });
        fields.set(part.fieldname, [...(fields.get(part.fieldname) ?? []), text]);
      }
    }
    if (spec.required && files.length === 0) {
      throw validationError({ [spec.field]: "Required" });
    }
  } catch (error) {
    await dispose();
    throw isMalformed(error) ? validationError({ [spec.field]: "The upload is not whole" }) : error;
  }

  const body = Object.fromEntries(
    [...fields].map(([name, [first = "", ...more]]) => [name, more.length > 0 ? [first, ...more] : first]),
  );
  return { body, files, dispose };
}

/** A browser's form makes CRLF of every line break in a text field (HTML standard, multipart/form-data encoding); JSON keeps them. */
function withNewlines(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** Errors of the multipart parser, which have no code: missing or truncated boundary, malformed headers. */
function isMalformed(error: unknown): boolean {
  return error instanceof Error && !("code" in error) && /\b(multipart|part|boundary|needle)\b/i.test(error.message);
}

/** RFC 2046 allows 70 characters; the parser throws beyond 256. */
function refuseLongBoundary({ headers }: FastifyRequest, field: string): void {
  const [, quoted, plain = ""] = /\bboundary=(?:"([^"]*)"|([^;\s]*))/i.exec(headers["content-type"] ?? "") ?? [];
  if ((quoted ?? plain).length > 70) {
    throw validationError({ [field]: "The boundary is too long" });
  }
}

function refuseOtherField(part: MultipartFile, field: string): void {
  if (part.fieldname !== field) {
    // Discard the bytes, which would keep the request open.
    part.file.resume();
    throw new AppError("ERR_VALIDATION", {
      filesField: field,
      fields: { [part.fieldname]: "Files come in another field" },
    });
  }
}

async function storePart(part: MultipartFile, path: string): Promise<Upload> {
  await writeWithinLimit(part, path);
  // A part may be a file by its type alone and then has no name, contrary to the declared types.
  const given = (part.filename as string | undefined) ?? "";
  const name = shortFileName(basename(given.replaceAll("\\", "/"))) || "file";
  refuseUnstorableText({ filename: name });
  const contentType = await sniffType(path, name);
  const { size } = await stat(path);
  return { name, contentType, size, path, stream: () => createReadStream(path) };
}

/** Aborts at the limit: a chunked upload may never end. */
async function writeWithinLimit(part: MultipartFile, path: string): Promise<void> {
  const tooLarge = new AbortController();
  part.file.once("limit", () => tooLarge.abort());
  if (part.file.truncated) {
    // It arrived in one chunk and was truncated before the listener was added.
    tooLarge.abort();
  }
  try {
    await pipeline(part.file, createWriteStream(path), { signal: tooLarge.signal });
  } catch (error) {
    throw tooLarge.signal.aborted ? new AppError("ERR_FILE_TOO_LARGE", { name: part.filename }) : error;
  }
}
