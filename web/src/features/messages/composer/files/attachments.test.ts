import { messageRules } from "@prosa/contract/messages";
import { uploadRules } from "@prosa/contract/uploads";
import { beforeEach, expect, test, vi } from "vitest";
import { addFiles, revokePreviews } from "./attachments.ts";

const aFile = (name: string, size = 10, type = "") => {
  const file = new File(["x"], name, { type });
  Object.defineProperty(file, "size", { value: size });
  return file;
};
const urls = new Set<string>();

beforeEach(() => {
  urls.clear();
  vi.spyOn(URL, "createObjectURL").mockImplementation(() => {
    const url = `blob:${urls.size}`;
    urls.add(url);
    return url;
  });
  vi.spyOn(URL, "revokeObjectURL").mockImplementation((url) => void urls.delete(url));
});

test("each rejected file has its reason, and does not block the others (M-06)", () => {
  const { attachments, rejected } = addFiles(
    [],
    [
      aFile("a.pdf"),
      aFile("filme.mp4", uploadRules.maxBytes + 1),
      aFile("fatura.pdf.exe"),
      aFile("desenho.SVG"),
      aFile("pasta", 0),
      aFile("b.jpg"),
    ],
  );
  expect(attachments.map(({ file }) => file.name)).toEqual(["a.pdf", "b.jpg"]);
  expect(rejected.map(({ name, reason }) => [name, reason])).toEqual([
    ["filme.mp4", "tooLarge"],
    ["fatura.pdf.exe", "badType"],
    ["desenho.SVG", "badType"],
    ["pasta", "empty"],
  ]);
});

test("the limit of files counts those already added (M-06)", () => {
  const full = addFiles(
    [],
    Array.from({ length: messageRules.maxFiles - 1 }, (_, n) => aFile(`${n}.txt`)),
  ).attachments;
  const { attachments, rejected } = addFiles(full, [aFile("x.txt"), aFile("y.txt")]);
  expect(attachments).toHaveLength(messageRules.maxFiles);
  expect(rejected).toMatchObject([{ name: "y.txt", reason: "tooMany" }]);
});

test("pictures have a preview, whose object URL is revoked (M-06)", () => {
  const { attachments } = addFiles([], [aFile("a.jpg", 10, "image/jpeg"), aFile("b.pdf", 10, "application/pdf")]);
  expect(attachments.map(({ preview }) => preview)).toEqual(["blob:0", null]);
  revokePreviews(attachments);
  expect(urls.size).toBe(0);
});
