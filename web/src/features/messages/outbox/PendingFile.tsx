import { styled } from "#web/ui/styled.ts";
import { FileText, Mic } from "lucide-react";
import { useEffect, useState } from "react";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { color } from "#web/ui/theme.ts";
import { conversationMessages } from "../messages.i18n.ts";
import type { OutboxEntry } from "./outbox.ts";

/** The file of a message that the server does not have yet: a picture as itself, any other file by name and size. */
export function PendingFile({ file }: { readonly file: NonNullable<OutboxEntry["file"]> }) {
  const t = useMessages(conversationMessages);
  const format = useFormat();
  const url = useObjectUrl(file.blob);
  const [isBroken, setBroken] = useState(false);

  if (url !== undefined && !isBroken && file.blob.type.startsWith("image/")) {
    return <Picture src={url} alt={file.name} onError={() => setBroken(true)} />;
  }
  return (
    <Line>
      {file.isVoice ? <Mic aria-hidden /> : <FileText aria-hidden />}
      <span>{file.isVoice ? t("voice") : file.name}</span>
      <small>{format.bytes(file.blob.size)}</small>
    </Line>
  );
}

/** An object URL of the blob, revoked when it is no longer shown. */
function useObjectUrl(blob: Blob): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const created = URL.createObjectURL(blob);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [blob]);
  return url;
}

const Picture = styled("img")({
  display: "block",
  width: 240,
  maxWidth: "100%",
  height: 160,
  marginBottom: 4,
  borderRadius: 8,
  objectFit: "cover",
  opacity: 0.75,
});

const Line = styled("div")({
  display: "flex",
  alignItems: "center",
  gap: 8,
  "& svg": { flex: "none", width: 18, height: 18 },
  "& span": { flex: 1, minWidth: 0, overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" },
  "& small": { color: color.ink2 },
});
