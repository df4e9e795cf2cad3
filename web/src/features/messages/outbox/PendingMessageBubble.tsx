import { styled } from "#web/ui/styled.ts";
import { Clock } from "lucide-react";
import { Suspense } from "react";
import type { Message } from "@prosa/contract/messages";
import { useErrorText } from "#web/lib/api/errors.i18n.ts";
import { ApiError, isErrorCode } from "#web/lib/api/apiError.ts";
import { lazyOrNothing } from "#web/lib/browser/lazy-or-nothing.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { ProgressBar, Skeleton } from "#web/ui/states.tsx";
import { color } from "#web/ui/theme.ts";
import { BubbleFrame, QuotedMessage } from "../bubble/index.ts";
import { conversationMessages } from "../messages.i18n.ts";
import { unreadableFile } from "../readable-file.ts";
import { outbox } from "./outbox.browser.ts";
import { outboxMessages } from "./outbox.i18n.ts";
import type { OutboxEntry } from "./outbox.ts";
import { RichText } from "../RichText.tsx";

/** The code of a pending file: fetched ahead with the composer's, for the picture that is sent without a network. */
export const loadPendingFile = () => import("./PendingFile.tsx");
const PendingFile = lazyOrNothing(async () => (await loadPendingFile()).PendingFile);

/** Errors of the file itself: a retry would be refused again. */
const fileErrors: ReadonlySet<string | null> = new Set(["ERR_FILE_TOO_LARGE", "ERR_FILE_TYPE", unreadableFile]);

export interface PendingMessageBubbleProps {
  readonly entry: OutboxEntry;
  /** The writer's name, where other words than theirs stand above. */
  readonly author: string | undefined;
  /** Its words without the signature. */
  readonly text: string;
  /** What it answers, where that is loaded. */
  readonly quoted: Message | undefined;
  readonly onJump: (messageId: number) => void;
}

/** A message that the server has not stored yet (local echo), with its state and its retry and cancel buttons. */
export function PendingMessageBubble({ entry, author, text, quoted, onJump }: PendingMessageBubbleProps) {
  const t = useMessages(conversationMessages);
  const texts = useMessages(outboxMessages);
  const format = useFormat();
  const errorText = useErrorText();
  const isUploading = entry.state === "sending" && entry.file !== null;
  const isFileRefused = fileErrors.has(entry.failure);
  const failureText = () =>
    entry.failure === unreadableFile
      ? texts("unreadable")
      : isErrorCode(entry.failure)
        ? errorText(new ApiError(entry.failure, 400))
        : t("notSent");

  return (
    <BubbleFrame isOwn gap="below" author={author} pending={entry.state === "failed" ? "failed" : "waiting"}>
      {quoted && <QuotedMessage quoted={quoted} onJump={onJump} />}
      {entry.file && (
        // as tall as most files
        <Suspense fallback={<Skeleton style={{ width: 240, height: 24 }} />}>
          <PendingFile file={entry.file} />
        </Suspense>
      )}
      {text !== "" && (
        <Text>
          <RichText text={text} />
        </Text>
      )}
      {isUploading && <ProgressBar value={entry.progress} label={t("uploading", { name: entry.file?.name ?? "" })} />}
      <Foot role={entry.state === "failed" ? "alert" : "status"}>
        {entry.state === "failed"
          ? failureText()
          : isUploading
            ? t("uploaded", { percent: Math.round(entry.progress * 100) })
            : t(entry.state === "sending" ? "sending" : navigator.onLine ? "ack_queued" : "waiting")}
        {entry.state === "failed" && !isFileRefused && (
          <button type="button" onClick={() => void outbox.retry(entry.clientId)}>
            {t("retry")}
          </button>
        )}
        {isFileRefused && text !== "" && (
          <button type="button" onClick={() => void outbox.sendWithoutFile(entry.clientId)}>
            {texts("withoutFile")}
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

const Text = styled("div")({
  overflowWrap: "anywhere",
  whiteSpace: "pre-wrap",
  // as in a stored message: Arabic and Hebrew begin at the right
  unicodeBidi: "plaintext",
});

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
