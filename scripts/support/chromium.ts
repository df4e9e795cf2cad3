/** Where is the Chromium that the browser tests drive, and how does it get there? */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
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
  const found = findChromium();
  if (found) {
    return found;
  }

  console.log("Installing Chromium for the browser tests …");
  const reason = await installChromium();
  const installed = findChromium();
  if (!installed) {
    throw new LaunchError(
      `The browser tests need Chromium, which could not be installed here. Install it (on Debian: apt-get install ` +
        `chromium) or set PROSA_CHROMIUM to its path.\n${reason}`,
    );
  }
  return installed;
}

/** The same for the journeys, which run in the headless shell where it is installed. */
export async function findOrInstallJourneyBrowser(): Promise<string> {
  return findJourneyBrowser() ?? (await findOrInstallChromium());
}

function find(wanted: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const candidates = wanted.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [process.env.PROSA_CHROMIUM, ...candidates].find((file) => file && isExecutable(file));
}

async function installChromium(): Promise<string> {
  const isRoot = process.getuid?.() === 0;
  const asRoot = (...command: string[]) => {
    const [file, ...args] = isRoot ? command : ["sudo", "-n", ...command];
    return exec(file!, args, { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } });
  };
  // Another installation may be under way, of this very package too: two started their tests at once.
  const apt = ["apt-get", "-o", "DPkg::Lock::Timeout=300"] as const;

  const update = await asRoot(...apt, "update", "-qq");
  // Customers write with emoji, and without a font for them every screenshot and width is wrong.
  const packages = ["chromium", "fonts-liberation", "fonts-noto-color-emoji"];
  const install = await asRoot(...apt, "install", "-y", "-qq", "--no-install-recommends", ...packages);
  return install.ok ? "" : (update.ok ? "" : update.output) + install.output;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
