import { styled } from "#web/ui/styled.ts";
import { messageRules } from "@prosa/contract/messages";
import { uploadRules } from "@prosa/contract/uploads";
import { CircleAlert, FileText, Film, Music, X } from "lucide-react";
import { useState } from "react";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { IconButton } from "#web/ui/IconButton.tsx";
import { color, media } from "#web/ui/theme.ts";
import { attachmentMessages } from "./attachments.i18n.ts";
import { type Attachment, type RejectedFile } from "./attachments.ts";

/** The attachments before sending: preview and caption of each file, and the rejected files with their reason (M-06). */
export function AttachmentTray(props: {
  readonly attachments: readonly Attachment[];
  readonly rejected: readonly RejectedFile[];
  readonly onChange: (attachments: readonly Attachment[]) => void;
  readonly onDismiss: (file: RejectedFile) => void;
}) {
  const { attachments, rejected, onChange, onDismiss } = props;
  const t = useMessages(attachmentMessages);
  const format = useFormat();

  const remove = (attachment: Attachment) => onChange(attachments.filter(({ id }) => id !== attachment.id));
  const setCaption = (attachment: Attachment, caption: string) =>
    onChange(attachments.map((other) => (other.id === attachment.id ? { ...other, caption } : other)));
  const reasonText = ({ reason }: RejectedFile) =>
    t(reason, { limit: format.bytes(uploadRules.maxBytes), count: messageRules.maxFiles });

  return (
    <>
      {rejected.length > 0 && (
        <RejectedList role="alert">
          <ul>
            {rejected.map((file) => (
              <li key={file.id}>
                <CircleAlert aria-hidden />
                <span>
                  <b>{file.name}</b> {reasonText(file)}
                </span>
                <IconButton size="small" label={t("dismiss", { name: file.name })} onClick={() => onDismiss(file)}>
                  <X />
                </IconButton>
              </li>
            ))}
          </ul>
        </RejectedList>
      )}
      {attachments.length > 0 && (
        <Tray aria-label={t("files", { count: attachments.length })}>
          {attachments.map((attachment) => (
            <li key={attachment.id}>
              <Preview attachment={attachment} />
              <span>
                <b title={attachment.file.name}>{attachment.file.name}</b>
                <small>{format.bytes(attachment.file.size)}</small>
                {/* WhatsApp shows no caption below audio */}
                {!attachment.file.type.startsWith("audio/") && (
                  <input
                    dir="auto"
                    value={attachment.caption}
                    placeholder={t("caption")}
                    aria-label={`${t("caption")}: ${attachment.file.name}`}
                    maxLength={1024}
                    onChange={(event) => setCaption(attachment, event.target.value)}
                  />
                )}
              </span>
              <IconButton
                size="small"
                label={t("takeOut", { name: attachment.file.name })}
                onClick={() => remove(attachment)}
              >
                <X />
              </IconButton>
            </li>
          ))}
        </Tray>
      )}
    </>
  );
}

function Preview({ attachment: { file, preview } }: { readonly attachment: Attachment }) {
  const [isBroken, setBroken] = useState(false);
  const Icon = file.type.startsWith("video/") ? Film : file.type.startsWith("audio/") ? Music : FileText;
  return (
    <PreviewBox>
      {preview === null || isBroken ? (
        <Icon aria-hidden />
      ) : (
        <img src={preview} alt="" onError={() => setBroken(true)} />
      )}
    </PreviewBox>
  );
}

const RejectedList = styled("div")({
  margin: "8px 8px 0",
  borderRadius: 8,
  backgroundColor: color.dangerSoft,
  color: color.danger,
  fontSize: 13,
  maxHeight: 120,
  overflowY: "auto",
  "& ul": { margin: 0, padding: 0, listStyle: "none" },
  "& li": { display: "flex", alignItems: "center", gap: 8, padding: "4px 4px 4px 10px" },
  "& li > span": { flex: 1, minWidth: 0, overflowWrap: "anywhere" },
  "& li > svg": { flex: "none", width: 16, height: 16 },
  "& b": { fontWeight: 600 },
});

const Tray = styled("ul")({
  display: "flex",
  gap: 8,
  padding: "8px 8px 0",
  margin: 0,
  listStyle: "none",
  overflowX: "auto",
  "& li": {
    flex: "none",
    width: 240,
    [media.phone]: { width: 224 },
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

const PreviewBox = styled("div")({
  flex: "none",
  width: 56,
  height: 56,
  display: "grid",
  placeItems: "center",
  borderRadius: 6,
  overflow: "hidden",
  backgroundColor: color.chip,
  color: color.ink2,
  "& svg": { width: 22, height: 22 },
  "& img": { width: "100%", height: "100%", objectFit: "cover" },
});
