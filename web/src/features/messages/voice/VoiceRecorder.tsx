import { styled } from "#web/ui/styled.ts";
import { messageRules } from "@prosa/contract/messages";
import { SendHorizontal, Trash2 } from "lucide-react";
import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { toast } from "#web/ui/Toast.tsx";
import { color } from "#web/ui/theme.ts";
import { useRecording } from "./useRecording.ts";
import { voiceMessages } from "./voice.i18n.ts";

const meterBars = 48;

/** Replaces the composer's text field while a voice message is recorded: level meter, duration, cancel and send (M-07). */
export function VoiceRecorder(props: {
  readonly onRecorded: (mp3: Blob) => void;
  /** The notice says why there is no recording; empty when nothing went wrong. */
  readonly onClose: (notice: string) => void;
}) {
  const { onRecorded, onClose } = props;
  const t = useMessages(voiceMessages);
  const format = useFormat();
  const [levels, setLevels] = useState<readonly number[]>([]);
  const [seconds, setSeconds] = useState(0);
  const [isLost, setLost] = useState(false);
  const sendButton = useRef<HTMLButtonElement>(null);
  const recording = useRecording({
    onLevel(level, length) {
      setLevels((before) => [...before, level].slice(-meterBars));
      setSeconds(length);
    },
    onEnd(mp3) {
      // specification 1, section 9: a shorter recording is not sent
      const isTooShort = mp3 !== undefined && mp3.size < messageRules.minAudioBytes;
      if (mp3 && !isTooShort) {
        onRecorded(mp3);
      }
      onClose(isTooShort ? t("tooShort") : "");
    },
    onProblem: (problem) => onClose(t(problem)),
    onMicrophoneLost: () => setLost(true),
    onAbandoned: () => toast.info(t("left")),
  });
  const isRecording = recording.state === "recording";
  useEffect(() => {
    if (isRecording) {
      sendButton.current?.focus();
    }
  }, [isRecording]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      recording.cancel();
    }
  };

  return (
    <Bar role="group" aria-label={t("recording")} onKeyDown={onKeyDown}>
      <IconButton label={t("cancel")} onClick={recording.cancel}>
        <Trash2 />
      </IconButton>
      {recording.state === "asking" || isLost ? (
        <Status role="status">{t(isLost ? "lost" : "asking")}</Status>
      ) : (
        <>
          <RecordingLight aria-hidden />
          <Time role="timer" aria-label={t("elapsed")}>
            {format.clock(seconds)}
          </Time>
          <Meter
            role="meter"
            aria-label={t("level")}
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={Math.round(100 * (levels.at(-1) ?? 0))}
          >
            {Array.from({ length: meterBars }, (_, index) => (
              <span key={index} style={{ height: `${8 + 92 * (levels[levels.length - meterBars + index] ?? 0)}%` }} />
            ))}
          </Meter>
        </>
      )}
      <Button
        ref={sendButton}
        kind="primary"
        aria-label={t("send")}
        icon={<SendHorizontal size={16} />}
        disabled={recording.state === "asking"}
        isBusy={recording.state === "finishing"}
        onClick={recording.finish}
      >
        {t("sendShort")}
      </Button>
    </Bar>
  );
}

const Bar = styled("div")({ display: "flex", alignItems: "center", gap: 8, minHeight: 54, padding: "8px 8px 8px 6px" });

const RecordingLight = styled("span")({
  flex: "none",
  width: 10,
  height: 10,
  borderRadius: "50%",
  backgroundColor: color.danger,
  animation: "prosa-pulse 1.4s ease-in-out infinite",
});

const Time = styled("span")({ flex: "none", minWidth: 36, fontSize: 14, fontVariantNumeric: "tabular-nums" });
const Status = styled("span")({ flex: 1, color: color.ink2, fontSize: 13 });

const Meter = styled("div")({
  flex: 1,
  minWidth: 0,
  height: 28,
  display: "flex",
  alignItems: "center",
  justifyContent: "flex-end",
  gap: 2,
  overflow: "hidden",
  "& span": { flex: "none", width: 3, borderRadius: 2, backgroundColor: color.accent },
});
