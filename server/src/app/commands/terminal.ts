import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { z } from "zod";

/** Terminal prompts of `npm run setup` and `npm run reset-password`. */

export const emailAddress = z.string().trim().toLowerCase().pipe(z.email("This is not an e-mail address"));
export const newPassword = z.string().min(8, "A password needs at least 8 characters").max(200);

/** Asks until the input is valid. */
export async function prompt(question: string, schema: z.ZodType<string>, { isHidden = false } = {}): Promise<string> {
  for (;;) {
    const parsed = schema.safeParse(await readInput(question, isHidden));
    if (parsed.success) {
      return parsed.data;
    }
    printLine(parsed.error.issues[0]?.message ?? "Please try again");
  }
}

async function readInput(question: string, isHidden: boolean): Promise<string> {
  process.stdout.write(question);
  // readline writes what is typed here: hidden input is not echoed.
  const echo = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!isHidden) {
        process.stdout.write(chunk);
      }
      done();
    },
  });
  const lines = createInterface({ input: process.stdin, output: echo, terminal: true });
  try {
    return await lines.question("");
  } finally {
    lines.close();
    if (isHidden) {
      printLine("");
    }
  }
}

export function printLine(text: string): void {
  process.stdout.write(`${text}\n`);
}
