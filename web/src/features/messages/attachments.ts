import { messageRules } from "@prosa/contract/messages";
import { uploadRules } from "@prosa/contract/uploads";

/** Files that were chosen, pasted or dropped, before they are sent. */
export interface Attachment {
  readonly id: string;
  readonly file: File;
  readonly caption: string;
  /** For a picture: an object URL. Released with `release`. */
  readonly preview: string | null;
}

/** A file that cannot be sent, and why. */
export interface Refusal {
  readonly id: string;
  readonly name: string;
  readonly why: "tooLarge" | "badType" | "empty" | "tooMany";
}

/** Adds what may be added, says of each other file why it may not. */
export function addFiles(
  existing: readonly Attachment[],
  files: readonly File[],
  newId: () => string = () => crypto.randomUUID(),
): { readonly attachments: readonly Attachment[]; readonly refusals: readonly Refusal[] } {
  const attachments = [...existing];
  const refusals: Refusal[] = [];
  for (const file of files) {
    const why = whyNot(file) ?? (attachments.length < messageRules.maxFiles ? undefined : "tooMany");
    if (why) {
      refusals.push({ id: newId(), name: file.name, why });
    } else {
      const preview = file.type.startsWith("image/") ? URL.createObjectURL(file) : null;
      attachments.push({ id: newId(), file, caption: "", preview });
    }
  }
  return { attachments, refusals };
}

/** What is known without asking the server, which looks into the file as well. */
function whyNot({ name, size }: File): Refusal["why"] | undefined {
  if (size > uploadRules.maxBytes) {
    return "tooLarge";
  }
  if (uploadRules.refusedNames.test(name.trim())) {
    return "badType";
  }
  // also what a browser makes of a dropped folder
  return size === 0 ? "empty" : undefined;
}

export function release(attachments: readonly Attachment[]): void {
  attachments.forEach(({ preview }) => preview && URL.revokeObjectURL(preview));
}

/** Files of a paste or a drop; nothing for text. */
export function filesOf(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])];
}
