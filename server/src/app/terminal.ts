import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { z } from "zod";

/** Questions of the commands of this machine: `npm run setup`, `npm run reset-password`. */

export const emailAddress = z.string().trim().toLowerCase().pipe(z.email("This is no e-mail address"));
export const newPassword = z.string().min(8, "A password needs at least 8 characters").max(200);

/** A wrong answer is asked again. */
export async function ask(question: string, answer: z.ZodType<string>, { isHidden = false } = {}): Promise<string> {
  for (;;) {
    const parsed = answer.safeParse(await readAnswer(question, isHidden));
    if (parsed.success) {
      return parsed.data;
    }
    say(parsed.error.issues[0]?.message ?? "Please try again");
  }
}

async function readAnswer(question: string, isHidden: boolean): Promise<string> {
  process.stdout.write(question);
  // What is typed is echoed by us, or not at all.
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
      say("");
    }
  }
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
