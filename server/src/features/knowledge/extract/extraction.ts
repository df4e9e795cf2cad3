import { z } from "zod";

/** What may be read of a file. */
export interface ExtractionLimits {
  readonly pages: number;
  readonly characters: number;
  /** Of one part of an archive, unpacked. */
  readonly partBytes: number;
}

export type FileKind = "pdf" | "docx" | "text";

const section = z.object({ heading: z.string(), page: z.number().int().nullable(), text: z.string() });

/** The answer of the process that reads a file. */
export const extraction = z.union([
  z.object({ failure: z.enum(["encrypted", "unreadable", "tooLong"]) }),
  z.object({ sections: z.array(section), pages: z.number().int().nullable() }),
]);
export type Extraction = z.output<typeof extraction>;
