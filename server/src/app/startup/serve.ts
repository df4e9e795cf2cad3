import { setupPath } from "@prosa/contract";
import { checkRoles } from "#server/platform/db/index.ts";
import { processName } from "#server/platform/processes/index.ts";
import { thisRelease } from "#server/platform/release.ts";
import { startTracing } from "#server/platform/tracing/index.ts";
import { createNightlyBackup } from "../backup/index.ts";
import { compose } from "../compose.ts";
import { prepareDemo } from "../demo.ts";
import type { DemoSignIn } from "../demo.ts";
import { features } from "../features.ts";
import { openInfrastructure, unlessAborted } from "./infrastructure.ts";
import type { OpenInfrastructure } from "./infrastructure.ts";
import { currentSetupCode, findOperatorEmail, sameStartMs } from "#server/features/setup/index.ts";
import { checkPort, startProduct } from "./lifecycle.ts";
import type { RunningProduct } from "./lifecycle.ts";
import { createServices } from "../services.ts";
import type { Services } from "#server/platform/services.ts";

/** One Ctrl-C arrives several times: from the terminal, and from `node --watch` and npm, which forward it. */
const REPEATED_SIGNAL_MS = 1_000;
/** From the signal to the exit, even if something hangs; service managers kill a process that takes longer. */
const END_WITHIN_MS = 15_000;

/** Starts the product in this process and runs it until SIGTERM or SIGINT. */
export async function runServer(): Promise<void> {
  const ended = new AbortController();
  const starting = startAll(ended.signal);
  let stopping: { readonly signal: string; readonly at: number } | undefined;
  const end = (signal: string) => {
    if (stopping) {
      // A second Ctrl-C forces the exit.
      if (signal === stopping.signal && performance.now() - stopping.at > REPEATED_SIGNAL_MS) {
        process.exit(1);
      }
      return;
    }
    stopping = { signal, at: performance.now() };
    setTimeout(() => process.exit(0), END_WITHIN_MS).unref();
    ended.abort(new Error(`ended by ${signal}`));
    // A start that was aborted has closed what it opened.
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

/** A signal aborts the start at any point; an embedded database is then stopped as well. */
async function startAll(signal: AbortSignal): Promise<{ stop(why: string): Promise<void> }> {
  const infrastructure = await openInfrastructure({ signal });
  const { log } = infrastructure;
  const running = await unlessAborted(signal, startProcess(infrastructure)).catch(async (error: unknown) => {
    // Stops the embedded database if this process started it; one that another process uses keeps running.
    await infrastructure.close({ hasFailed: true });
    throw error;
  });
  return {
    async stop(why) {
      log.info({ signal: why }, "stopping");
      setTimeout(
        () => log.warn("exiting with work in progress; another process takes it over when its leases expire"),
        END_WITHIN_MS - 100,
      ).unref();
      await running
        .stop()
        .then(() => infrastructure.close())
        .catch((error: unknown) => log.error({ err: error }, "shutdown failed"));
    },
  };
}

async function startProcess(infrastructure: OpenInfrastructure): Promise<RunningProduct> {
  const { config, log } = infrastructure;
  await checkRoles(infrastructure.db);
  await checkPort(config); // once more in `startProduct`: the demo before it may take a minute, which nobody should wait for in vain
  const { endpoint, ratio } = config.tracing;
  const tracing =
    endpoint === undefined
      ? undefined
      : await startTracing({ endpoint, ratio, version: thisRelease.version, instance: processName() });
  const services = await createServices(infrastructure, features);
  const product = await compose(services, features, createNightlyBackup(services, infrastructure.ownerUrl));
  const signIns = config.demo.seed ? await prepareDemo(services) : [];
  const running = await startProduct(product);
  if (config.isProduction && config.sourceUrl === undefined) {
    log.warn("SOURCE_URL is not set: the licence (AGPL) requires a link to the source code that runs here");
  }
  printReady(infrastructure, services.publicUrl(), signIns);
  if (signIns.length === 0 && (await findOperatorEmail(services.db)) === undefined) {
    await printSetup(infrastructure, services);
  }
  return {
    ...running,
    async stop() {
      await running.stop();
      await tracing?.stop();
    },
  };
}

/** Nobody can sign in yet: prints the code that opens the first page. It is no secret from who reads the log of this server. */
async function printSetup({ config, log }: OpenInfrastructure, services: Services): Promise<void> {
  const code = await currentSetupCode(services, sameStartMs);
  const address = `${services.publicUrl()}${setupPath}`;
  if (process.stdout.isTTY) {
    process.stdout.write(
      `  There is no operator yet. Open ${address}#${code}\n  or run npm run setup in another terminal.\n\n`,
    );
    return;
  }
  const always = log.child({}, { level: config.logLevel === "silent" ? "silent" : "info" });
  always.warn(
    `no operator exists yet, so nobody can sign in: open ${address} with the code ${code}, or run \`npm run setup\` with the same settings`,
  );
}

/** Prints the URL and the demo's sign-ins: as text on a terminal, else to the log, at any level but silent. */
function printReady({ config, log }: OpenInfrastructure, url: string, signIns: readonly DemoSignIn[]): void {
  if (!process.stdout.isTTY) {
    const always = log.child({}, { level: config.logLevel === "silent" ? "silent" : "info" });
    always.info({ url, roles: [...config.roles] }, `Prosa is ready: ${url}`);
    signIns.forEach(({ who, email, password }) =>
      always.info(`the demo's ${who} signs in with ${email} and ${password}`),
    );
    return;
  }
  const lines = signIns.map(({ who, email, password }) => `  ${who.padEnd(12)} ${email.padEnd(28)} ${password}`);
  process.stdout.write(
    ["", `  Prosa is ready: ${url}`, ...(lines.length > 0 ? ["", ...lines] : []), "", ""].join("\n"),
  );
}
