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
const commands = new Map<string | undefined, (args: readonly string[]) => Promise<void>>([
  [undefined, runServer],
  ["backup", runBackup],
  ["company", runCompany],
  ["doctor", runDoctor],
  ["move-in", runMoveIn],
  ["reset-password", runResetPassword],
  ["restore", runRestore],
  ["setup", runSetup],
  ["upgrade-database", runUpgradeDatabase],
]);
const [word, ...args] = process.argv.slice(2);
const run = commands.get(word);
if (!run || args.includes("--help")) {
  const isHelp = args.includes("--help") || ["--help", "-h", "help"].includes(word ?? "");
  const words = [...commands.keys()].filter((name) => name !== undefined);
  const usage = `Without a word Prosa starts. Otherwise: ${words.join(", ")}.`;
  console[isHelp ? "log" : "error"](isHelp ? usage : `There is no command "${word}". ${usage}`);
  process.exit(isHelp ? 0 : 2);
}
try {
  await run(args);
} catch (error) {
  // A wrong setting prints its explanation, any other error its stack trace. What a command refuses is no start of Prosa.
  const heading = word === undefined ? "Prosa cannot start with these settings:\n" : "";
  console.error(error instanceof ConfigError ? `${heading}${error.message}` : error);
  process.exit(1);
}
