import type { Config } from "#server/platform/config/index.ts";
import { ConfigError, requireSecretKeys } from "#server/platform/config/index.ts";
import { createSigner } from "#server/platform/auth/index.ts";
import { systemClock } from "#server/platform/clock/index.ts";
import { readOptions } from "./read-options.ts";
import { runCommand } from "./run-command.ts";
import { createOperator, currentSetupCode, findOperatorEmail } from "#server/features/setup/index.ts";
import { prompt, emailAddress, newPassword, printLine } from "./terminal.ts";

/**
 * `npm run setup`: migrates the database and creates the operator of a new one. Idempotent. It creates the embedded
 * database only with `--embedded`: if DATABASE_URL were missing it would otherwise set up a database that the server does
 * not use. With `--code` it creates nobody, but prints the code of the first page in the browser; a new one where the last has expired.
 */
export async function runSetup(args: readonly string[]): Promise<void> {
  const { embedded, code } = readOptions(args, "npm run setup [-- --embedded] [--code]", {
    options: { embedded: { type: "boolean", default: false }, code: { type: "boolean", default: false } },
  }).values;
  await runCommand({ mayCreate: embedded }, async ({ config, db }) => {
    const existing = await findOperatorEmail(db);
    if (existing !== undefined) {
      printLine(`The database is up to date; its operator is ${existing}.`);
      return;
    }
    if (code) {
      const signer = createSigner(requireSecretKeys(config), systemClock);
      printLine(await currentSetupCode({ db, signer, clock: systemClock }));
      return;
    }
    const { email, password } = await askForOperator(config);
    const isFirst = await createOperator(db, { company: config.operator.company, email, password });
    printLine(
      isFirst
        ? `The database is up to date; ${email} may sign in as its operator.`
        : `The database is up to date; meanwhile somebody else became its operator: ${await findOperatorEmail(db)}.`,
    );
  });
}

/** From the settings, else from the terminal. */
async function askForOperator({ operator }: Config): Promise<{ email: string; password: string }> {
  if (operator.email !== undefined && operator.password !== undefined) {
    return { email: operator.email, password: operator.password };
  }
  if (!process.stdin.isTTY) {
    throw new ConfigError("OPERATOR_EMAIL, OPERATOR_PASSWORD: set both where setup runs without a terminal");
  }
  const email = operator.email ?? (await prompt("E-mail of the operator: ", emailAddress));
  const password = operator.password ?? (await prompt("Password of the operator: ", newPassword, { isHidden: true }));
  return { email, password };
}
