import { buildWeb } from "../web-build/build.ts";
import { checkFirstLoad } from "../web-build/first-load.ts";

/** Builds the web app and fails when the desk needs more JavaScript than its budget before it can be used. */
export async function run(): Promise<void> {
  await buildWeb();
  if (!checkFirstLoad()) {
    process.exitCode = 1;
  }
}
