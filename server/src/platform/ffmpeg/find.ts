import { access, chmod, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";

const program = process.platform === "win32" ? "ffmpeg.exe" : "ffmpeg";

/** Where ffmpeg is: the system's own if there is one, else the one that came with our packages. Undefined: nowhere. */
export async function findFfmpeg(searchPath: string = process.env.PATH ?? ""): Promise<string | undefined> {
  for (const folder of searchPath.split(delimiter)) {
    const path = join(folder, program);
    if (folder !== "" && (await isExecutable(path))) {
      return path;
    }
  }
  return findBundled();
}

async function findBundled(): Promise<string | undefined> {
  try {
    const { default: bundled } = await import("@ffmpeg-installer/ffmpeg");
    if (!(await isExecutable(bundled.path))) {
      // Its install script would do this, but install scripts do not run here.
      await chmod(bundled.path, 0o755);
    }
    return bundled.path;
  } catch {
    // There is none for this platform: the package says so when it is loaded.
    return undefined;
  }
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
