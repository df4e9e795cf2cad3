import type { AnnouncementPriority } from "@prosa/contract/announcements";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";

/** Red, orange and grey of specification 2 section 9, always beside the text. */
const tint = { 1: color.danger, 2: "#f07b16", 3: color.ink3 } as const satisfies Record<AnnouncementPriority, string>;

/** The message key of each priority. */
export const priorityTextKey = { 1: "high", 2: "medium", 3: "low" } as const satisfies Record<
  AnnouncementPriority,
  string
>;

export function Priority({ priority, word }: { readonly priority: AnnouncementPriority; readonly word: string }) {
  return (
    <Mark>
      <i aria-hidden style={{ backgroundColor: tint[priority] }} />
      {word}
    </Mark>
  );
}

const Mark = styled("span")({
  display: "inline-flex",
  alignItems: "center",
  gap: 6,
  fontSize: 12,
  color: color.ink2,
  "& i": { flex: "none", width: 8, height: 8, borderRadius: "50%" },
});
