/** Text under one heading, or on one page of a file. */
export interface Section {
  readonly heading: string;
  /** Of a pdf, from 1. */
  readonly page: number | null;
  readonly text: string;
}

/** A page of text: its lines that begin with `#` are headings, and so is the part of the text below them. Pure. */
export function sectionsOfText(text: string): Section[] {
  const sections: Section[] = [];
  let heading = "";
  let lines: string[] = [];
  const end = () => {
    const body = lines.join("\n").trim();
    if (body !== "") {
      sections.push({ heading, page: null, text: body });
    }
    lines = [];
  };
  for (const line of text.replaceAll(/\r\n?/gu, "\n").split("\n")) {
    const [, title] = /^#{1,6}\s+(.+)$/u.exec(line) ?? [];
    if (title === undefined) {
      lines.push(line);
    } else {
      end();
      heading = title.trim();
    }
  }
  end();
  return sections;
}
