import { SaxesParser } from "saxes";
import { fromBuffer } from "yauzl";
import type { Entry, ZipFile } from "yauzl";
import type { Extraction, ExtractionLimits } from "./extraction.ts";
import type { Section } from "./sections-of-text.ts";

/** Thrown when a file holds more than anybody writes: a zip bomb, or a book. */
class TooLong extends Error {}

/**
 * The text of a Word document by headings: ECMA-376, part 1, chapter 17. The archive's entries are read as a stream, so that one that
 * swells is left as soon as it is longer than it says or than `limits` allows.
 */
export async function readDocx(bytes: Uint8Array, limits: ExtractionLimits): Promise<Extraction> {
  try {
    const styles = new Set<string>();
    await readPart(bytes, "word/styles.xml", limits, headingStyles(styles));
    const document = bodyOf(styles, limits);
    const isThere = await readPart(bytes, "word/document.xml", limits, document.parser);
    return isThere ? { sections: document.sections(), pages: null } : { failure: "unreadable" };
  } catch (error) {
    if (error instanceof TooLong) {
      return { failure: "tooLong" };
    }
    throw error;
  }
}

/** Feeds a part to a parser. False if the archive has none of this name. */
async function readPart(
  bytes: Uint8Array,
  name: string,
  limits: ExtractionLimits,
  parser: SaxesParser,
): Promise<boolean> {
  const zip = await openZip(bytes);
  const entry = await findEntry(zip, name);
  if (!entry) {
    return false;
  }
  if (entry.uncompressedSize > limits.partBytes) {
    throw new TooLong(name);
  }
  const stream = await new Promise<NodeJS.ReadableStream>((resolve, reject) => {
    zip.openReadStream(entry, (error, opened) => (error ? reject(error) : resolve(opened)));
  });
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    parser.write(decoder.decode(chunk as Buffer, { stream: true }));
  }
  parser.write(decoder.decode()).close();
  return true;
}

async function openZip(bytes: Uint8Array): Promise<ZipFile> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return new Promise((resolve, reject) => {
    // Sizes are checked while an entry is read: one that is longer than it says fails.
    fromBuffer(buffer, { lazyEntries: true, validateEntrySizes: true }, (error, zip) => {
      if (error) {
        reject(error);
      } else {
        resolve(zip);
      }
    });
  });
}

async function findEntry(zip: ZipFile, name: string): Promise<Entry | undefined> {
  return new Promise((resolve, reject) => {
    zip.on("entry", (entry: Entry) => {
      if (entry.fileName === name) {
        resolve(entry);
      } else {
        zip.readEntry();
      }
    });
    zip.once("end", () => resolve(undefined));
    zip.once("error", reject);
    zip.readEntry();
  });
}

/** Collects the styles of headings: Word keeps their names in English, their ids in the language of its user. */
function headingStyles(found: Set<string>): SaxesParser {
  const parser = new SaxesParser();
  let style: string | undefined;
  parser.on("opentag", ({ name, attributes }) => {
    if (name === "w:style") {
      style = attributes["w:styleId"];
    } else if (name === "w:name" && style !== undefined && /^(heading \d|title)$/iu.test(attributes["w:val"] ?? "")) {
      found.add(style);
    }
  });
  throwErrors(parser);
  return parser;
}

/** Reads paragraphs; a heading begins a section. A row of a table is a line, its cells parted by bars. */
function bodyOf(headingIds: ReadonlySet<string>, limits: ExtractionLimits) {
  const parser = new SaxesParser();
  const sections: Section[] = [];
  let [heading, text, paragraph] = ["", "", ""];
  /** Of a table: the cells of the row so far, and the words of the cell. */
  let row: string[] = [];
  let cell = "";
  let [isHeading, isText] = [false, false];
  /** Depths: in how many table cells, and in how many alternatives that repeat what stood before. */
  let [cells, fallbacks] = [0, 0];
  let length = 0;

  const endSection = () => {
    if (text.trim() !== "") {
      sections.push({ heading, page: null, text: text.trim() });
    }
    text = "";
  };
  const endParagraph = () => {
    const words = paragraph.replaceAll(/[ \t]+/gu, " ").trim();
    paragraph = "";
    if (cells > 0) {
      cell += words === "" ? "" : `${words} `;
    } else if (isHeading && words !== "") {
      endSection();
      heading = words;
    } else if (words !== "") {
      text += `${words}\n\n`;
    }
    isHeading = false;
  };

  parser.on("opentag", ({ name, attributes, isSelfClosing }) => {
    if (name === "mc:Fallback") {
      fallbacks += 1;
    } else if (name === "w:t") {
      isText = !isSelfClosing;
    } else if (name === "w:tc") {
      cells += 1;
    } else if (name === "w:pStyle") {
      isHeading = headingIds.has(attributes["w:val"] ?? "");
    } else if (name === "w:tab") {
      paragraph += " ";
    } else if (name === "w:br" || name === "w:cr") {
      paragraph += "\n";
    }
  });
  parser.on("text", (words) => {
    if (isText && fallbacks === 0) {
      length += words.length;
      if (length > limits.characters) {
        throw new TooLong();
      }
      paragraph += words;
    }
  });
  parser.on("closetag", ({ name }) => {
    if (name === "w:t") {
      isText = false;
    } else if (name === "w:p") {
      endParagraph();
    } else if (name === "w:tc") {
      cells -= 1;
      if (cells === 0) {
        row.push(cell.trim());
        cell = "";
      }
    } else if (name === "w:tr" && cells === 0) {
      text += `${row.join(" | ")}\n`;
      row = [];
    } else if (name === "w:tbl" && cells === 0) {
      text += "\n";
    } else if (name === "mc:Fallback") {
      fallbacks -= 1;
    }
  });
  throwErrors(parser);
  return {
    parser,
    sections() {
      endSection();
      return sections;
    },
  };
}

/** Without a handler an error is thrown; `fail` says so for the reader. */
function throwErrors(parser: SaxesParser): void {
  parser.on("error", (error) => {
    throw error;
  });
}
