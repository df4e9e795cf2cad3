import { styled } from "#web/ui/styled.ts";
import type { Message } from "@prosa/contract/messages";
import { RotateCw } from "lucide-react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button, Spinner } from "#web/ui/Button.tsx";
import { color } from "#web/ui/theme.ts";
import { conversationMessages } from "../messages.i18n.ts";

/** The file is still downloading, or its download failed: the message is shown all the same (behaviour 3). */
export function MissingMedia({
  message,
  onRefetch,
}: {
  readonly message: Message;
  /** Asks the server to download the file again; without it, and where an exported chat came without the file, there is no button. */
  readonly onRefetch?: (message: Message) => void;
}) {
  const t = useMessages(conversationMessages);
  const state = message.media?.state;
  const isDownloading = state === "wanted" || state === "fetching";
  const thumbnail = message.media?.thumbnail;
  return (
    <Missing style={thumbnail ? { backgroundImage: `url(${thumbnail})` } : undefined}>
      <span role="status">
        {isDownloading ? (
          <>
            <Spinner aria-hidden /> {t("waitingMedia")}
          </>
        ) : (
          t(state === "expired" ? "expiredMedia" : "failedMedia")
        )}
      </span>
      {onRefetch && !isDownloading && !message.fromMe && message.data?.imported !== true && (
        <Button icon={<RotateCw size={14} />} onClick={() => onRefetch(message)}>
          {t("fetchMedia")}
        </Button>
      )}
    </Missing>
  );
}

const Missing = styled("div")({
  display: "flex",
  flexDirection: "column",
  alignItems: "center",
  justifyContent: "center",
  gap: 10,
  width: 260,
  maxWidth: "100%",
  minHeight: 96,
  padding: 12,
  borderRadius: 8,
  backgroundColor: color.chip,
  backgroundSize: "cover",
  backgroundPosition: "center",
  "& > span": {
    display: "inline-flex",
    alignItems: "center",
    gap: 8,
    padding: "4px 10px",
    borderRadius: 14,
    fontSize: 12,
    textAlign: "center",
    backgroundColor: color.raised,
    color: color.ink2,
  },
});
