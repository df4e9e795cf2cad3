import type { QuickMessage } from "@prosa/contract/quick-messages";

/** Fetches the file of a quick message as an attachment; undefined when it has none. Rejects when the fetch fails. */
export async function fetchAttachment({ mediaUrl, mediaName }: QuickMessage): Promise<File | undefined> {
  if (mediaUrl === null) {
    return undefined;
  }
  const response = await fetch(mediaUrl, { credentials: "same-origin" });
  if (!response.ok) {
    throw new Error(`Fetching the file of a quick message failed with status ${response.status}`);
  }
  const blob = await response.blob();
  return new File([blob], mediaName ?? "file", { type: blob.type });
}
