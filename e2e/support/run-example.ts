import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** How the code of an example is run as it stands, and what tells that this machine can. */
const runners = {
  curl: { file: "example.sh", command: "bash", has: ["curl", "--version"] },
  JavaScript: { file: "example.mjs", command: process.execPath, has: [process.execPath, "--version"] },
  PHP: { file: "example.php", command: "php", has: ["php", "-r", "curl_version();"] },
  Python: { file: "example.py", command: "python3", has: ["python3", "-c", "import requests"] },
} as const;
export type ExampleLanguage = keyof typeof runners;
export const exampleLanguages = Object.keys(runners) as ExampleLanguage[];

/** Whether the machine has what the language's examples need. */
export async function canRun(language: ExampleLanguage): Promise<boolean> {
  const [command, ...parameters] = runners[language].has;
  return run(command, parameters).then(
    () => true,
    () => false,
  );
}

/** Runs the code of an example in this folder, and returns what it prints. */
export async function runExample(language: ExampleLanguage, code: string, folder: string): Promise<string> {
  const { file, command } = runners[language];
  await writeFile(join(folder, file), code);
  // The runner of the journeys asks for colours.
  const env = { ...process.env, FORCE_COLOR: undefined };
  return (await run(command, [file], { cwd: folder, timeout: 30_000, env })).stdout;
}
