import type { Config } from "#server/platform/config/index.ts";
import { ConfigError } from "#server/platform/config/index.ts";
import { runCommand } from "./command.ts";
import { findOperatorEmail, makeOperator } from "./operator.ts";
import { ask, emailAddress, newPassword, say } from "./terminal.ts";

/**
 * `npm run setup`: brings the database up to date and makes the operator of a new one. Harmless when repeated. It makes
 * the embedded database only with `--embedded`: without its DATABASE_URL it would set up another than the server's.
 */
export async function runSetup(args: readonly string[]): Promise<void> {
  await runCommand({ mayMake: args.includes("--embedded") }, async ({ config, db }) => {
    const known = await findOperatorEmail(db);
    if (known !== undefined) {
      say(`The database is up to date; its operator is ${known}.`);
      return;
    }
    const { email, password } = await askForOperator(config);
    await makeOperator(db, { company: config.operator.company, email, password });
    say(`The database is up to date; ${email} may sign in as its operator.`);
  });
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
