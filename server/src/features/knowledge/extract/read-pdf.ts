import { getDocumentProxy } from "unpdf";
import type { Extraction, ExtractionLimits } from "./extraction.ts";
import type { Section } from "./sections-of-text.ts";

interface Line {
  readonly text: string;
  /** Height of its letters, and its place from below, in points. */
  readonly height: number;
  readonly y: number;
}

/** A line whose letters are higher than the text's by this much, and that is short, is a heading. */
const headingHeight = 1.15;
const maxHeading = 120;
/** Lines further apart than this many heights begin a paragraph. */
const paragraphGap = 1.6;

/** The text of a pdf by pages and headings. */
export async function readPdf(bytes: Uint8Array, limits: ExtractionLimits): Promise<Extraction> {
  const document = await openPdf(bytes);
  if (document === undefined) {
    return { failure: "encrypted" };
  }
  if (document.numPages > limits.pages) {
    return { failure: "tooLong" };
  }
  const pages: Line[][] = [];
  let length = 0;
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const lines = linesOf((await page.getTextContent()).items as readonly TextItem[]);
    page.cleanup();
    length += lines.reduce((sum, { text }) => sum + text.length + 1, 0);
    if (length > limits.characters) {
      return { failure: "tooLong" };
    }
    pages.push(lines);
  }
  return { sections: sectionsOf(pages), pages: document.numPages };
}

/** Undefined where it needs a password. */
async function openPdf(bytes: Uint8Array) {
  try {
    return await getDocumentProxy(bytes, { disableFontFace: true, useSystemFonts: false });
  } catch (error) {
    if (error instanceof Error && error.name === "PasswordException") {
      return undefined;
    }
    throw error;
  }
}

/** A piece of text as pdf.js returns it; marked content has no `str`. */
interface TextItem {
  readonly str?: string;
  readonly hasEOL?: boolean;
  readonly height?: number;
  readonly transform?: readonly number[];
}

function linesOf(items: readonly TextItem[]): Line[] {
  const lines: Line[] = [];
  let text = "";
  let height = 0;
  let y = 0;
  for (const { str = "", hasEOL = false, height: letters = 0, transform } of items) {
    if (str.trim() !== "") {
      height = Math.max(height, letters);
      y = transform?.[5] ?? y;
    }
    text += str;
    if (hasEOL) {
      lines.push({ text: text.replaceAll(/\s+/gu, " ").trim(), height, y });
      text = "";
      height = 0;
    }
  }
  lines.push({ text: text.replaceAll(/\s+/gu, " ").trim(), height, y });
  return lines.filter((line) => line.text !== "");
}

function sectionsOf(pages: readonly (readonly Line[])[]): Section[] {
  const usual = usualHeight(pages.flat());
  let heading = "";
  const sections: Section[] = [];
  pages.forEach((lines, index) => {
    let text = "";
    let before: Line | undefined;
    const end = () => {
      if (text.trim() !== "") {
        sections.push({ heading, page: index + 1, text: text.trim() });
      }
      text = "";
      before = undefined;
    };
    for (const line of lines) {
      if (usual > 0 && line.height >= usual * headingHeight && line.text.length <= maxHeading) {
        end();
        heading = line.text;
      } else {
        text = before ? withLine(text, before, line) : line.text;
        before = line;
      }
    }
    end();
  });
  return sections;
}

/** The text with one more line: of the same paragraph or of a new one; "infor-" and "mação" become one word. */
function withLine(text: string, before: Line, line: Line): string {
  const isParagraph = line.y > before.y || before.y - line.y > paragraphGap * Math.max(before.height, line.height, 1);
  if (isParagraph) {
    return `${text}\n\n${line.text}`;
  }
  const isDivided = /\p{L}-$/u.test(text) && /^\p{Ll}/u.test(line.text);
  return isDivided ? `${text.slice(0, -1)}${line.text}` : `${text}\n${line.text}`;
}

/** The height of most letters. */
function usualHeight(lines: readonly Line[]): number {
  const letters = new Map<number, number>();
  for (const { height, text } of lines) {
    const rounded = Math.round(height * 2) / 2;
    letters.set(rounded, (letters.get(rounded) ?? 0) + text.length);
  }
  return [...letters].sort(([, a], [, b]) => b - a)[0]?.[0] ?? 0;
}
