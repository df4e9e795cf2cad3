import { runResetPassword } from "./app/reset-password.ts";
import { runServer } from "./app/serve.ts";
import { runSetup } from "./app/setup.ts";
import { ConfigError } from "./platform/config/index.ts";

/** `main.ts` starts the product; with a word it does one thing in the database and ends. */
const commands: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  setup: runSetup,
  "reset-password": runResetPassword,
};
const [command = "", ...args] = process.argv.slice(2);
try {
  await (commands[command] ?? runServer)(args);
} catch (error) {
  // For whoever sits at the terminal: a setting is explained, anything else shows where it broke.
  console.error(error instanceof ConfigError ? `Prosa cannot start with these settings:\n${error.message}` : error);
  process.exit(1);
}
