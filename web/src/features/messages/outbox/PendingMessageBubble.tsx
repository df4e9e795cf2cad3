import { styled } from "#web/ui/styled.ts";
import { Clock } from "lucide-react";
import { lazy, Suspense } from "react";
import { useErrorText } from "#web/lib/api/errors.i18n.ts";
import { ApiError, isErrorCode } from "#web/lib/api/apiError.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { ProgressBar, Skeleton } from "#web/ui/states.tsx";
import { color } from "#web/ui/theme.ts";
import { BubbleFrame } from "../bubble/index.ts";
import { conversationMessages } from "../messages.i18n.ts";
import { outbox } from "./outbox.browser.ts";
import type { OutboxEntry } from "./outbox.ts";
import { RichText } from "../RichText.tsx";

const PendingFile = lazy(async () => ({ default: (await import("./PendingFile.tsx")).PendingFile }));

/** Errors of the file itself: a retry would be refused again. */
const fileErrors: ReadonlySet<string | null> = new Set(["ERR_FILE_TOO_LARGE", "ERR_FILE_TYPE"]);

export interface PendingMessageBubbleProps {
  readonly entry: OutboxEntry;
  /** The writer's name, where other words than theirs stand above. */
  readonly author: string | undefined;
}

/** A message that the server has not stored yet (local echo), with its state and its retry and cancel buttons. */
export function PendingMessageBubble({ entry, author }: PendingMessageBubbleProps) {
  const t = useMessages(conversationMessages);
  const format = useFormat();
  const errorText = useErrorText();
  const isUploading = entry.state === "sending" && entry.file !== null;
  const failure =
    entry.failure !== null && isErrorCode(entry.failure) ? errorText(new ApiError(entry.failure, 400)) : undefined;

  return (
    <BubbleFrame isOwn gap="below" author={author} pending={entry.state === "failed" ? "failed" : "waiting"}>
      {entry.file && (
        // as tall as most files
        <Suspense fallback={<Skeleton style={{ width: 240, height: 24 }} />}>
          <PendingFile file={entry.file} />
        </Suspense>
      )}
      {entry.body !== "" && (
        <Text>
          <RichText text={entry.body} />
        </Text>
      )}
      {isUploading && <ProgressBar value={entry.progress} label={t("uploading", { name: entry.file?.name ?? "" })} />}
      <Foot role={entry.state === "failed" ? "alert" : "status"}>
        {entry.state === "failed"
          ? (failure ?? t("notSent"))
          : isUploading
            ? t("uploaded", { percent: Math.round(entry.progress * 100) })
            : t(entry.state === "sending" ? "sending" : navigator.onLine ? "ack_queued" : "waiting")}
        {entry.state === "failed" && !fileErrors.has(entry.failure) && (
          <button type="button" onClick={() => void outbox.retry(entry.clientId)}>
            {t("retry")}
          </button>
        )}
        {(entry.state !== "sending" || isUploading) && (
          <button type="button" onClick={() => void outbox.cancel(entry.clientId)}>
            {t(entry.state === "failed" ? "discard" : "cancel")}
          </button>
        )}
        <time>{format.time(entry.writtenAt)}</time>
        <Clock aria-hidden />
      </Foot>
    </BubbleFrame>
  );
}

const Text = styled("div")({ overflowWrap: "anywhere", whiteSpace: "pre-wrap" });

const Foot = styled("div")({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  justifyContent: "flex-end",
  gap: 6,
  fontSize: 11,
  color: color.ink2,
  "[data-pending='failed'] > &": { color: color.danger },
  "& button": {
    border: 0,
    padding: 0,
    background: "none",
    color: color.accent,
    fontSize: 11,
    fontWeight: 600,
    cursor: "pointer",
  },
  "& svg": { width: 12, height: 12 },
});
