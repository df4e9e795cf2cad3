import {
  runBackup,
  runCompany,
  runDoctor,
  runMoveIn,
  runResetPassword,
  runRestore,
  runSetup,
  runUpgradeDatabase,
} from "./app/commands/index.ts";
import { runServer } from "./app/startup/index.ts";
import { ConfigError } from "./platform/config/index.ts";

/** `main.ts` runs the server; `main.ts <command>` runs one command and exits. */
const commands: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  backup: runBackup,
  company: runCompany,
  doctor: runDoctor,
  "move-in": runMoveIn,
  restore: runRestore,
  setup: runSetup,
  "reset-password": runResetPassword,
  "upgrade-database": runUpgradeDatabase,
};
const [command = "", ...args] = process.argv.slice(2);
try {
  await (commands[command] ?? runServer)(args);
} catch (error) {
  // A wrong setting prints its explanation, any other error its stack trace.
  console.error(error instanceof ConfigError ? `Prosa cannot start with these settings:\n${error.message}` : error);
  process.exit(1);
}
