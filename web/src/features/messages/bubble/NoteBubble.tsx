import { styled } from "#web/ui/styled.ts";
import type { Note } from "@prosa/contract/notes";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { color, media } from "#web/ui/theme.ts";
import { columnPadding } from "../content-styles.ts";
import { conversationMessages } from "../messages.i18n.ts";

/** A note of the team at its place in time: as wide as the column and in its own colour, because the contact never sees it. */
export function NoteBubble({ note }: { readonly note: Note }) {
  const t = useMessages(conversationMessages);
  const format = useFormat();
  return (
    <Row>
      <p>
        <b>{note.user ? t("noteBy", { name: note.user.name }) : t("noteOfTeam")}</b> · <span>{note.note}</span>
        <time dateTime={note.createdAt}>{format.time(note.createdAt)}</time>
      </p>
    </Row>
  );
}

const Row = styled("div")({
  padding: `5px ${columnPadding}px`,
  [media.phone]: { padding: "5px 14px" },
  "& p": {
    padding: "6px 12px",
    border: `1px solid ${color.noteLine}`,
    borderRadius: 8,
    backgroundColor: color.note,
    fontSize: 13,
    whiteSpace: "pre-wrap",
    overflowWrap: "anywhere",
    unicodeBidi: "plaintext",
  },
  // in its own direction, whatever that of the name before it is
  "& span": { unicodeBidi: "plaintext" },
  "[data-row]:focus-visible & p": { outline: `2px solid ${color.accent}`, outlineOffset: 2 },
  "& time": { marginLeft: 8, fontSize: 11, color: color.ink2, whiteSpace: "nowrap" },
});
