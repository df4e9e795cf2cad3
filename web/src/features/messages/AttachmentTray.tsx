import { styled } from "#web/ui/styled.ts";
import { FileText, X } from "lucide-react";
import { useFormat } from "#web/lib/format.ts";
import { useMessages } from "#web/lib/i18n.ts";
import { IconButton } from "#web/ui/IconButton.tsx";
import { color } from "#web/ui/theme.ts";
import { release, type Attachment } from "./attachments.ts";
import { conversationMessages } from "./messages.i18n.ts";

/** What is about to be sent: a preview and a caption for each file (M-06). */
export function AttachmentTray(props: {
  readonly attachments: readonly Attachment[];
  readonly onChange: (attachments: readonly Attachment[]) => void;
}) {
  const { attachments, onChange } = props;
  const t = useMessages(conversationMessages);
  const format = useFormat();

  const takeOut = (attachment: Attachment) => {
    release([attachment]);
    onChange(attachments.filter(({ id }) => id !== attachment.id));
  };
  const caption = (attachment: Attachment, words: string) =>
    onChange(attachments.map((other) => (other.id === attachment.id ? { ...other, caption: words } : other)));

  return (
    <Tray aria-label={t("files", { count: attachments.length })}>
      {attachments.map((attachment) => (
        <li key={attachment.id}>
          <Face>{attachment.preview ? <img src={attachment.preview} alt="" /> : <FileText aria-hidden />}</Face>
          <span>
            <b title={attachment.file.name}>{attachment.file.name}</b>
            <small>{format.bytes(attachment.file.size)}</small>
            <input
              value={attachment.caption}
              placeholder={t("caption")}
              aria-label={`${t("caption")}: ${attachment.file.name}`}
              maxLength={1024}
              onChange={(event) => caption(attachment, event.target.value)}
            />
          </span>
          <IconButton
            size="small"
            label={t("takeOut", { name: attachment.file.name })}
            onClick={() => takeOut(attachment)}
          >
            <X />
          </IconButton>
        </li>
      ))}
    </Tray>
  );
}

const Tray = styled("ul")({
  display: "flex",
  gap: 8,
  padding: "8px 8px 0",
  overflowX: "auto",
  "& li": {
    flex: "none",
    width: 240,
    display: "flex",
    gap: 8,
    padding: 6,
    borderRadius: 8,
    border: `1px solid ${color.line}`,
    backgroundColor: color.background,
  },
  "& li > span": { flex: 1, minWidth: 0, display: "flex", flexDirection: "column" },
  "& b": { fontSize: 12, fontWeight: 500, overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" },
  "& small": { fontSize: 11, color: color.ink2 },
  "& input": {
    width: "100%",
    marginTop: 2,
    padding: "2px 0",
    border: 0,
    borderBottom: `1px solid ${color.line}`,
    outline: 0,
    background: "none",
    fontSize: 12,
  },
  "& input:focus": { borderBottomColor: color.accent },
});

const Face = styled("div")({
  flex: "none",
  width: 56,
  height: 56,
  display: "grid",
  placeItems: "center",
  borderRadius: 6,
  overflow: "hidden",
  backgroundColor: color.chip,
  color: color.ink2,
  "& img": { width: "100%", height: "100%", objectFit: "cover" },
});
