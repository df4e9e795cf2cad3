import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { z } from "zod";
import type { Config } from "#server/platform/config/index.ts";
import { ConfigError } from "#server/platform/config/index.ts";
import { openMachinery } from "./machinery.ts";
import { findOperatorEmail, makeOperator } from "./operator.ts";

const emailAddress = z.string().trim().toLowerCase().pipe(z.email("This is no e-mail address"));
const newPassword = z.string().min(8, "A password needs at least 8 characters").max(200);

/** `npm run setup`: brings the database up to date and makes the operator of a new one. Harmless when repeated. */
export async function runSetup(): Promise<void> {
  const { config, db, close } = await openMachinery();
  try {
    const known = await findOperatorEmail(db);
    if (known !== undefined) {
      say(`The database is up to date; its operator is ${known}.`);
      return;
    }
    const { email, password } = await askForOperator(config);
    await makeOperator(db, { company: config.operator.company, email, password });
    say(`The database is up to date; ${email} may sign in as its operator.`);
  } finally {
    await close();
  }
}

/** From the settings, or from the person at the terminal; a wrong answer is asked again. */
async function askForOperator({ operator }: Config): Promise<{ email: string; password: string }> {
  if (operator.email !== undefined && operator.password !== undefined) {
    return { email: operator.email, password: operator.password };
  }
  if (!process.stdin.isTTY) {
    throw new ConfigError("OPERATOR_EMAIL, OPERATOR_PASSWORD: set both where setup runs without a terminal");
  }
  const email = operator.email ?? (await ask("E-mail of the operator: ", emailAddress));
  const password = operator.password ?? (await ask("Password of their own: ", newPassword, { isHidden: true }));
  return { email, password };
}

async function ask(question: string, answer: z.ZodType<string>, { isHidden = false } = {}): Promise<string> {
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

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
