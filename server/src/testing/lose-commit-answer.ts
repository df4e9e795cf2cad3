import { onTestFinished, vi } from "vitest";
import type { TestApp } from "./app.ts";

/** The next transaction of a company commits, and the connection breaks before the answer: nobody knows whether it was saved. */
export function loseCommitAnswer({ db }: TestApp): void {
  const { inCompany } = db;
  const spy = vi.spyOn(db, "inCompany").mockImplementationOnce(async (scope, work) => {
    await inCompany(scope, work);
    throw new Error("Connection terminated unexpectedly");
  });
  onTestFinished(() => spy.mockRestore());
}
