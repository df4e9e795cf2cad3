/** Where is the Chromium that the browser tests drive, and how does it get there? */
import { accessSync, constants } from "node:fs";
import path from "node:path";
import { LaunchError } from "../launcher/error.mjs";
import { exec } from "./exec.ts";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/** Chromium's engine without the browser's own windows, which take four fifths of what a new page costs. */
const shell = "chromium-headless-shell";

/** The path of a Chromium on this machine, or undefined. PROSA_CHROMIUM names one outright. */
export function findChromium(): string | undefined {
  return find(names);
}

/** The path of what the journeys run in: Chromium's headless shell, else Chromium, or undefined. PROSA_CHROMIUM names one outright. */
export function findJourneyBrowser(): string | undefined {
  return find([shell, ...names]);
}

/** Finds Chromium, or installs the distribution's own with apt-get; throws a LaunchError with a hint where neither works. */
export async function findOrInstallChromium(): Promise<string> {
  return findChromium() ?? (await installFirst(["chromium"]));
}

/**
 * The same for the journeys. In CI the headless shell is installed beside a Chromium that is there already, because the journeys take a
 * third less in it (decision 0265); where it cannot be had, they run in what is there.
 */
export function findOrInstallJourneyBrowser(): Promise<string> {
  // A run asks twice, at once.
  return (journeyBrowser ??= chooseJourneyBrowser());
}

let journeyBrowser: Promise<string> | undefined;

async function chooseJourneyBrowser(): Promise<string> {
  const found = findJourneyBrowser();
  if (found === undefined) {
    return installFirst([shell, "chromium"]);
  }
  const isChosen = path.basename(found) === shell || found === process.env.PROSA_CHROMIUM;
  if (isChosen || !process.env.CI) {
    return found;
  }
  try {
    return await installFirst([shell]);
  } catch {
    console.log(`${shell} cannot be installed here; the journeys run in ${found}.`);
    return found;
  }
}

function find(wanted: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  const candidates = wanted.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return [process.env.PROSA_CHROMIUM, ...candidates].find((file) => file && isExecutable(file));
}

/** The path of the first of these packages that the distribution has; a LaunchError where none could be installed. */
async function installFirst(packages: readonly string[]): Promise<string> {
  console.log("Installing Chromium for the browser tests …");
  let reason = "";
  for (const name of packages) {
    reason = await install(name);
    const installed = find(name === shell ? [shell] : names);
    if (installed) {
      return installed;
    }
  }
  throw new LaunchError(
    `The browser tests need Chromium, which could not be installed here. Install it (on Debian: apt-get install ` +
      `chromium) or set PROSA_CHROMIUM to its path.\n${reason}`,
  );
}

/** Returns what the package manager said where it failed. */
async function install(browser: string): Promise<string> {
  const isRoot = process.getuid?.() === 0;
  const asRoot = (...command: string[]) => {
    const [file, ...args] = isRoot ? command : ["sudo", "-n", ...command];
    return exec(file!, args, { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } });
  };
  // Another installation may be under way, of this very package too: two started their tests at once.
  const apt = ["apt-get", "-o", "DPkg::Lock::Timeout=300"] as const;

  const update = await asRoot(...apt, "update", "-qq");
  // Customers write with emoji, and without a font for them every screenshot and width is wrong.
  const packages = [browser, "fonts-liberation", "fonts-noto-color-emoji"];
  const installed = await asRoot(...apt, "install", "-y", "-qq", "--no-install-recommends", ...packages);
  return installed.ok ? "" : (update.ok ? "" : update.output) + installed.output;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
