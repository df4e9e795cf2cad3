import { writeZip } from "#server/platform/zip/index.ts";

/** A picture of one pixel. */
export const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** WhatsApp's own export of a chat, with its files; each is the picture above. */
export async function exportedChat(text: string, names: readonly string[] = ["foto.png"]): Promise<File> {
  const files = names.map((name) => ({
    name,
    content: (async function* () {
      yield png;
    })(),
  }));
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const part of writeZip([{ name: "Conversa do WhatsApp com Bruno.txt", content: text }, ...files])) {
    parts.push(new Uint8Array(part));
  }
  return new File(parts, "Conversa do WhatsApp com Bruno.zip");
}

/** The form of an import; `me`: the author who is the company. */
export function importForm(file: File, me?: string): never {
  const form = new FormData();
  if (me !== undefined) {
    form.append("me", me);
  }
  form.append("file", file);
  return form as never;
}
