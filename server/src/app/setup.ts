import { openMachinery } from "./machinery.ts";

/** `npm run setup`: brings the database up to date and makes the operator of a new one. */
export async function runSetup(): Promise<void> {
  const { log, close } = await openMachinery();
  try {
    log.info("the database is up to date");
  } finally {
    await close();
  }
}
