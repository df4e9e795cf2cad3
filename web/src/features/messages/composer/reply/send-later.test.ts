import { expect, test } from "vitest";
import type { Attachment } from "#web/features/messages/composer/files/attachments.ts";
import { laterReply } from "./send-later.ts";

const attachment = (name: string, caption = ""): Attachment => ({
  id: name,
  file: new File(["x"], name),
  caption,
  preview: null,
});
const ignore = () => undefined;

test("the text goes into the schedule with its variables, and the caption where there is none (T-19)", () => {
  expect(laterReply("  Oi {{firstName}} ", [], ignore)).toMatchObject({ body: "Oi {{firstName}}", file: undefined });
  expect(laterReply("", [attachment("a.png", "A mesa")], ignore).body).toBe("A mesa");
  expect(laterReply("Veja", [attachment("a.png", "A mesa")], ignore).body).toBe("Veja");
});

test("the first file goes along, and alone leaves the composer once it is scheduled (T-19)", () => {
  const [one, two] = [attachment("a.png"), attachment("b.png")];
  let gone: Attachment | undefined;
  const reply = laterReply("Veja", [one, two], (scheduled) => (gone = scheduled));
  expect(reply).toMatchObject({ file: one.file, filesLeft: 1 });
  expect(gone).toBeUndefined();
  reply.onSaved();
  expect(gone).toBe(one);
});
