import { endEverySessionOf } from "#server/features/auth/index.ts";
import { replacePassword } from "#server/features/users/index.ts";
import { ConfigError } from "#server/platform/config/index.ts";
import type { Config } from "#server/platform/config/index.ts";
import type { Db } from "#server/platform/db/index.ts";
import { readOptions } from "./read-options.ts";
import { runCommand } from "./run-command.ts";
import { findOperatorEmail } from "#server/features/setup/index.ts";
import { prompt, emailAddress, newPassword, printLine } from "./terminal.ts";

const usage = "npm run reset-password [-- E-MAIL]";

/**
 * `npm run reset-password -- someone@example.com`: for an administrator of the machine, when nobody is left who
 * can reset it in the product. Works beside a running server; ends all sessions of the old password, and
 * removes the second factor. Throws ConfigError for words after the e-mail.
 */
export async function runResetPassword(args: readonly string[]): Promise<void> {
  const { positionals } = readOptions(args, usage, { allowPositionals: true });
  const [given, ...more] = positionals;
  if (more.length > 0) {
    throw new ConfigError(`Whose password? One e-mail, or none for the operator's.\n${usage}`);
  }
  await runCommand({}, async ({ config, db }) => {
    const email = await emailOf(given, db);
    const password = await passwordOf(config, email);
    if (!(await resetPassword(db, { email, password }))) {
      throw new ConfigError(`There is nobody with the e-mail ${email}.`);
    }
    printLine(
      `${email} may sign in with the new password; all sessions of the old one have ended, and two-step verification is off.`,
    );
  });
}

/** Returns false and changes nothing if no user has this e-mail. */
export async function resetPassword(
  db: Db,
  { email, password }: { email: string; password: string },
): Promise<boolean> {
  return db.systemTx(async (tx) => {
    const now = new Date();
    const userId = await replacePassword(tx, email, password, now);
    if (userId === undefined) {
      return false;
    }
    await endEverySessionOf(tx, userId, now);
    return true;
  });
}

/** Default: the operator, whose password nobody else can reset. */
async function emailOf(given: string | undefined, db: Db): Promise<string> {
  if (given !== undefined) {
    const parsed = emailAddress.safeParse(given);
    if (!parsed.success) {
      throw new ConfigError(`${given} is not an e-mail address`);
    }
    return parsed.data;
  }
  const operator = await findOperatorEmail(db);
  if (operator === undefined) {
    throw new ConfigError("There is no operator yet: npm run setup makes one.");
  }
  return operator;
}

async function passwordOf({ newPassword: fromSettings }: Config, email: string): Promise<string> {
  if (fromSettings !== undefined) {
    return fromSettings;
  }
  if (!process.stdin.isTTY) {
    throw new ConfigError("NEW_PASSWORD: set it where reset-password runs without a terminal");
  }
  return prompt(`New password of ${email}: `, newPassword, { isHidden: true });
}
