import { checkRoles } from "#server/platform/db/index.ts";
import { compose } from "./compose.ts";
import { prepareDemo } from "./demo.ts";
import type { DemoSignIn } from "./demo.ts";
import { features } from "./features.ts";
import { openMachinery, unlessAborted } from "./machinery.ts";
import type { OpenMachinery } from "./machinery.ts";
import { findOperatorEmail } from "./operator.ts";
import { start } from "./roles.ts";
import type { Running } from "./roles.ts";
import { createServices } from "./services.ts";

/** One Ctrl-C arrives several times: from the terminal, and from `node --watch` and npm, which pass it on. */
const ECHO_MS = 1_000;
/** From the signal to the end, whatever hangs: a service manager kills what takes longer than it was told. */
const END_WITHIN_MS = 15_000;

/** Starts the product in this process and stays until a signal ends it. */
export async function runServer(): Promise<void> {
  const ended = new AbortController();
  const starting = startAll(ended.signal);
  let stopping: { readonly signal: string; readonly at: number } | undefined;
  const end = (signal: string) => {
    if (stopping) {
      // A person who asks twice does not want to wait.
      if (signal === stopping.signal && performance.now() - stopping.at > ECHO_MS) {
        process.exit(1);
      }
      return;
    }
    stopping = { signal, at: performance.now() };
    setTimeout(() => process.exit(0), END_WITHIN_MS).unref();
    ended.abort(new Error(`ended by ${signal}`));
    // A start that was under way has closed what it opened.
    void starting.then((started) => started.stop(signal)).finally(() => process.exit(0));
  };
  process.on("SIGTERM", end);
  process.on("SIGINT", end);
  try {
    await starting;
  } catch (error) {
    if (!ended.signal.aborted) {
      throw error;
    }
  }
}

/** A signal while this is under way ends it: handlers are there from the first moment on, a database as well. */
async function startAll(signal: AbortSignal): Promise<{ stop(why: string): Promise<void> }> {
  const machinery = await openMachinery({ signal });
  const { log } = machinery;
  const running = await unlessAborted(signal, startProduct(machinery)).catch(async (error: unknown) => {
    // No database is left behind by a process that could not start, and none is taken from one that runs.
    await machinery.close({ hasFailed: true });
    throw error;
  });
  return {
    async stop(why) {
      log.info({ signal: why }, "stopping");
      setTimeout(
        () => log.warn("the process ends with work under way; leases give it to another one"),
        END_WITHIN_MS - 100,
      ).unref();
      await running
        .stop()
        .then(() => machinery.close())
        .catch((error: unknown) => log.error({ err: error }, "did not stop cleanly"));
    },
  };
}

async function startProduct(machinery: OpenMachinery): Promise<Running> {
  const { config, log } = machinery;
  await checkRoles(machinery.db);
  const services = await createServices(machinery, features);
  const product = await compose(services, features);
  const signIns = config.demo.seed ? await prepareDemo(services) : [];
  const running = await start(product);
  if (config.isProduction && config.sourceUrl === undefined) {
    log.warn("SOURCE_URL is not set: the licence asks that people are shown the way to the source of what runs here");
  }
  greet(machinery, services.publicUrl(), signIns);
  if (signIns.length === 0 && (await findOperatorEmail(services.db)) === undefined) {
    log.warn("nobody can sign in yet: `npm run setup`, with the same settings, makes the operator");
  }
  return running;
}

/** Where to go and with which name: for eyes on a terminal, else as lines of the log, whatever its level. */
function greet({ config, log }: OpenMachinery, url: string, signIns: readonly DemoSignIn[]): void {
  if (!process.stdout.isTTY) {
    const told = log.child({}, { level: config.logLevel === "silent" ? "silent" : "info" });
    told.info({ url, roles: [...config.roles] }, `Prosa is ready: ${url}`);
    signIns.forEach(({ who, email, password }) =>
      told.info(`the demo's ${who} signs in with ${email} and ${password}`),
    );
    return;
  }
  const lines = signIns.map(({ who, email, password }) => `  ${who.padEnd(12)} ${email.padEnd(28)} ${password}`);
  process.stdout.write(
    ["", `  Prosa is ready: ${url}`, ...(lines.length > 0 ? ["", ...lines] : []), "", ""].join("\n"),
  );
}
