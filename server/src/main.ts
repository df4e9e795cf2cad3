import { runSetup } from "./app/setup.ts";
import { runServer } from "./app/serve.ts";
import { ConfigError } from "./platform/config/index.ts";

/** `main.ts` starts the product; `main.ts setup` makes the operator of a new production database. */
const [command] = process.argv.slice(2);
try {
  await (command === "setup" ? runSetup() : runServer());
} catch (error) {
  // For whoever sits at the terminal: a setting is explained, anything else shows where it broke.
  console.error(error instanceof ConfigError ? `Prosa cannot start with these settings:\n${error.message}` : error);
  process.exit(1);
}
