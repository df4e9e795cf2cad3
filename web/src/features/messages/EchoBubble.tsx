import { styled } from "#web/ui/styled.ts";
import { Clock } from "lucide-react";
import { lazy, Suspense } from "react";
import { useErrorText } from "#web/lib/errors.i18n.ts";
import { ApiError, isErrorCode } from "#web/lib/apiError.ts";
import { useFormat } from "#web/lib/format.ts";
import { useMessages } from "#web/lib/i18n.ts";
import { ProgressBar, Skeleton } from "#web/ui/states.tsx";
import { color, media } from "#web/ui/theme.ts";
import { conversationMessages } from "./messages.i18n.ts";
import { outbox } from "./outbox.browser.ts";
import type { OutboxEntry } from "./outbox.ts";
import { RichText } from "./RichText.tsx";

const EchoFile = lazy(async () => ({ default: (await import("./EchoFile.tsx")).EchoFile }));

/** Refusals of the file itself: the same file is refused again. */
const ofTheFile: ReadonlySet<string | null> = new Set(["ERR_FILE_TOO_LARGE", "ERR_FILE_TYPE"]);

/** What was written here and the server does not have yet: shown at once, with what it waits for. */
export function EchoBubble({ entry }: { readonly entry: OutboxEntry }) {
  const t = useMessages(conversationMessages);
  const format = useFormat();
  const words = useErrorText();
  const isUploading = entry.state === "sending" && entry.file !== null;
  const failure =
    entry.failure !== null && isErrorCode(entry.failure) ? words(new ApiError(entry.failure, 400)) : undefined;

  return (
    <Row data-echo>
      <Box data-state={entry.state}>
        {entry.file && (
          // as tall as most of what comes
          <Suspense fallback={<Skeleton style={{ width: 240, height: 24 }} />}>
            <EchoFile file={entry.file} />
          </Suspense>
        )}
        {entry.body !== "" && (
          <div>
            <RichText text={entry.body} />
          </div>
        )}
        {isUploading && <ProgressBar value={entry.progress} label={t("uploading", { name: entry.file?.name ?? "" })} />}
        <Foot role={entry.state === "failed" ? "alert" : "status"}>
          {entry.state === "failed"
            ? (failure ?? t("fail_unknown"))
            : isUploading
              ? t("uploaded", { percent: Math.round(entry.progress * 100) })
              : t(entry.state === "sending" ? "sending" : navigator.onLine ? "ack_queued" : "waiting")}
          {entry.state === "failed" && !ofTheFile.has(entry.failure) && (
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
      </Box>
    </Row>
  );
}

const Row = styled("div")({
  display: "flex",
  justifyContent: "flex-end",
  padding: "1px 24px 7px",
  [media.phone]: { padding: "1px 10px 7px" },
});

const Box = styled("div")({
  minWidth: 64,
  maxWidth: "min(560px, 82%)",
  padding: "6px 10px 4px",
  borderRadius: 10,
  border: `1px dashed ${color.ownLine}`,
  backgroundColor: color.own,
  overflowWrap: "anywhere",
  whiteSpace: "pre-wrap",
  "&[data-state='failed']": { borderColor: color.danger },
});

const Foot = styled("div")({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  justifyContent: "flex-end",
  gap: 6,
  fontSize: 11,
  color: color.ink2,
  "[data-state='failed'] > &": { color: color.danger },
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
