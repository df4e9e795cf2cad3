import type { QuickMessage } from "@prosa/contract/quick-messages";

/** The file of a quick message, to be sent as if it had been chosen here; undefined where it has none. Rejects when it cannot be had. */
export async function attachmentOf({ mediaUrl, mediaName }: QuickMessage): Promise<File | undefined> {
  if (mediaUrl === null) {
    return undefined;
  }
  const answer = await fetch(mediaUrl, { credentials: "same-origin" });
  if (!answer.ok) {
    throw new Error(`The file of a quick message answered ${answer.status}`);
  }
  const blob = await answer.blob();
  return new File([blob], mediaName ?? "file", { type: blob.type });
}
