import { open } from "node:fs/promises";
import { extname } from "node:path";
import { uploadRules } from "@prosa/contract/uploads";
import { fileTypeFromFile } from "file-type";
import { AppError } from "../../ctx.ts";

/** Programs, and documents that a browser would run as script of our origin (behaviour 1: 415). */
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
 * What may stand before a document's first word: spaces, a byte order mark, the XML declaration, comments. Taken one
 * after another, because one expression for all of them would try exponentially many ways on a file made for that.
 */
const preamble = /\s+|<\?xml[^>]*>|<!--[^]*?-->/iy;
const refusedWord = /#!|<!doctype\s+(?:html|svg)|<(?:html|head|body|script|svg)\b/iy;

/** Files without a signature in their bytes, by name. */
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
 * What a file is, by its bytes; what the sender calls it does not count. Throws ERR_FILE_TYPE for programs and for
 * documents that carry script.
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
