import { expect, onTestFinished, test, vi } from "vitest";
import { comingFilesOf, expectFile, onComingFiles } from "./coming-files.ts";

test("a file counts as coming until it is attached, whoever looks and however often the conversation is opened (M-12)", async () => {
  const changed = vi.fn<() => void>();
  onTestFinished(onComingFiles(changed));
  const fetched = Promise.withResolvers<File>();
  const kept = Promise.withResolvers<void>();
  const attach = vi.fn<(files: readonly File[]) => Promise<void>>(() => kept.promise);
  const done = expectFile(1, fetched.promise, attach);
  expect(comingFilesOf(1).count).toBe(1);
  expect(comingFilesOf(2).count).toBe(0);

  const file = new File(["x"], "boleto.pdf");
  fetched.resolve(file);
  await vi.waitFor(() => expect(attach).toHaveBeenCalledWith([file]));
  // fetched, but not among the files of the reply yet
  expect(comingFilesOf(1).count).toBe(1);
  kept.resolve();
  await done;
  expect(comingFilesOf(1)).toEqual({ count: 0, failures: 0 });
  expect(changed).toHaveBeenCalledTimes(2);
});

test("a file that does not come is no longer waited for and is told in the same step (M-12)", async () => {
  const steps: unknown[] = [];
  onTestFinished(onComingFiles(() => steps.push(comingFilesOf(3))));
  await expect(expectFile(3, Promise.reject(new Error("500")), () => Promise.resolve())).rejects.toThrow("500");
  expect(steps).toEqual([
    { count: 1, failures: 0 },
    { count: 0, failures: 1 },
  ]);
});
