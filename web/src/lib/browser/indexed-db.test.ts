import { expect, onTestFinished, test, vi } from "vitest";
import { createDatabase } from "./indexed-db.ts";

test("a database is opened once, and again after it could not be opened, failed or was closed by the browser (Z-02)", async () => {
  const opened: { result: { onclose?: () => void }; onsuccess?: () => void; onerror?: () => void }[] = [];
  vi.stubGlobal("indexedDB", {
    open: () => {
      const request = { result: {}, error: null };
      opened.push(request);
      return request;
    },
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const withDatabase = createDatabase("prosa.test", () => undefined);
  const use = () => withDatabase(() => Promise.resolve("answer"));

  const refused = use();
  opened[0]!.onerror!();
  await expect(refused).rejects.toThrow("prosa.test");

  const answered = [use(), use()];
  opened[1]!.onsuccess!();
  expect(await Promise.all(answered)).toEqual(["answer", "answer"]);
  expect(opened).toHaveLength(2);

  await expect(withDatabase(() => Promise.reject(new Error("The connection was lost")))).rejects.toThrow("lost");
  const anew = use();
  opened[2]!.onsuccess!();
  await anew;

  opened[2]!.result.onclose!();
  const again = use();
  opened[3]!.onsuccess!();
  expect(await again).toBe("answer");
});
