import { messageRules } from "@prosa/contract/messages";
import { uploadRules } from "@prosa/contract/uploads";
import { newId } from "#web/lib/browser/random.ts";

/** Files that were chosen, pasted or dropped, before they are sent. */
export interface Attachment {
  readonly id: string;
  readonly file: File;
  readonly caption: string;
  /** For a picture: an object URL; revoked by `revokePreviews`. */
  readonly preview: string | null;
}

/** A file that cannot be sent, and why. */
export interface RejectedFile {
  readonly id: string;
  readonly name: string;
  readonly reason: "tooLarge" | "badType" | "empty" | "unreadable" | "tooMany";
}

/** Adds the files that can be sent; gives the reason for each of the others. */
export function addFiles(
  existing: readonly Attachment[],
  files: readonly File[],
  idOfNew: () => string = newId,
): { readonly attachments: readonly Attachment[]; readonly rejected: readonly RejectedFile[] } {
  const attachments = [...existing];
  const rejected: RejectedFile[] = [];
  for (const file of files) {
    const reason = rejectionOf(file) ?? (attachments.length < messageRules.maxFiles ? undefined : "tooMany");
    if (reason) {
      rejected.push({ id: idOfNew(), name: file.name, reason });
    } else {
      attachments.push({ id: idOfNew(), file, caption: "", preview: previewOf(file) });
    }
  }
  return { attachments, rejected };
}

/** An object URL of a picture. */
export function previewOf(file: File): string | null {
  return file.type.startsWith("image/") ? URL.createObjectURL(file) : null;
}

/** Checks by name and size alone: what cannot be read shows itself later (`attachTo`), and the server checks the content. */
function rejectionOf({ name, size }: File): RejectedFile["reason"] | undefined {
  if (size > uploadRules.maxBytes) {
    return "tooLarge";
  }
  if (uploadRules.refusedNames.test(name.trim())) {
    return "badType";
  }
  // also what a browser makes of a dropped folder
  return size === 0 ? "empty" : undefined;
}

export function revokePreviews(attachments: readonly Attachment[]): void {
  attachments.forEach(({ preview }) => preview && URL.revokeObjectURL(preview));
}
