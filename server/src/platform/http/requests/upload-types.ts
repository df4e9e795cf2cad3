import { open } from "node:fs/promises";
import { extname } from "node:path";
import { uploadRules } from "@prosa/contract/uploads";
import { fileTypeFromFile } from "file-type";
import { AppError } from "../../ctx.ts";

/** Executables, and documents whose script a browser would run in our origin (behaviour 1: 415). */
const refusedTypes = new Set([
  "application/x-msdownload",
  "application/x-elf",
  "application/x-mach-binary",
  "application/x-executable",
  "application/x-sharedlib",
  "application/x-msi",
  "application/x-ms-shortcut",
  "application/vnd.android.package-archive",
  "application/java-archive",
  "application/java-vm",
  "application/x-apple-diskimage",
  "application/wasm",
  "application/xhtml+xml",
  "image/svg+xml",
  "text/html",
]);
/**
 * Prefix of a document: whitespace, byte order mark, XML declaration, comments. Matched one after another, because a
 * single expression could backtrack exponentially on a crafted file.
 */
const preamble = /\s+|<\?xml[^>]*>|<!--[^]*?-->/iy;
const refusedWord = /#!|<!doctype\s+(?:html|svg)|<(?:html|head|body|script|svg)\b/iy;

/** Types of text files, which have no magic bytes, by extension. */
const textTypes: Readonly<Record<string, string>> = {
  ".txt": "text/plain",
  ".log": "text/plain",
  ".md": "text/plain",
  ".csv": "text/csv",
  ".tsv": "text/tab-separated-values",
  ".json": "application/json",
  ".vcf": "text/vcard",
  ".ics": "text/calendar",
  ".xml": "text/xml",
};

/**
 * Detects the media type by the bytes; the type given by the client is ignored. Throws ERR_FILE_TYPE for executables and
 * for documents with script.
 */
export async function sniffType(path: string, name: string): Promise<string> {
  const sniffed = (await fileTypeFromFile(path))?.mime;
  const isScript = sniffed === undefined || sniffed === "application/xml" ? beginsAsScript(await headOf(path)) : false;
  if (uploadRules.refusedNames.test(name.trim()) || isScript || (sniffed !== undefined && refusedTypes.has(sniffed))) {
    throw new AppError("ERR_FILE_TYPE", { name });
  }
  return sniffed ?? textTypes[extname(name).toLowerCase()] ?? "application/octet-stream";
}

function beginsAsScript(head: string): boolean {
  let at = 0;
  do {
    preamble.lastIndex = at;
    at += preamble.exec(head)?.[0].length ?? 0;
  } while (preamble.lastIndex > 0);
  refusedWord.lastIndex = at;
  return refusedWord.test(head);
}

async function headOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1024), 0, 1024, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}
