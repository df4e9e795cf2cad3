/** Files that were chosen, pasted or dropped, before they are sent. */
export interface Attachment {
  readonly id: string;
  readonly file: File;
  readonly caption: string;
  /** For a picture: an object URL. Released with `release`. */
  readonly preview: string | null;
}

export type Refusal = { readonly why: "tooLarge"; readonly name: string } | { readonly why: "tooMany" };

export const attachmentLimits = { maxBytes: 64 * 1024 * 1024, maxFiles: 30 } as const;

/** Adds what may be added, says what may not and why. */
export function addFiles(
  existing: readonly Attachment[],
  files: readonly File[],
  newId: () => string = () => crypto.randomUUID(),
): { readonly attachments: readonly Attachment[]; readonly refusals: readonly Refusal[] } {
  const fitting = files.filter((file) => file.size <= attachmentLimits.maxBytes);
  const room = attachmentLimits.maxFiles - existing.length;
  return {
    attachments: [
      ...existing,
      ...fitting.slice(0, room).map((file) => ({
        id: newId(),
        file,
        caption: "",
        preview: file.type.startsWith("image/") ? URL.createObjectURL(file) : null,
      })),
    ],
    refusals: [
      ...files.filter((file) => !fitting.includes(file)).map((file) => ({ why: "tooLarge" as const, name: file.name })),
      ...(fitting.length > room ? [{ why: "tooMany" as const }] : []),
    ],
  };
}

export function release(attachments: readonly Attachment[]): void {
  attachments.forEach(({ preview }) => preview && URL.revokeObjectURL(preview));
}

/** Files of a paste or a drop; nothing for text. */
export function filesOf(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])];
}
