import { styled } from "#web/ui/styled.ts";
import { Pause, Play } from "lucide-react";
import { useRef, useState, type KeyboardEvent, type PointerEvent } from "react";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { color } from "#web/ui/theme.ts";
import { conversationMessages } from "../messages.i18n.ts";

const rates = [1, 1.5, 2] as const;
const stepSeconds = 5;

/** Plays a voice message: seek bar, duration and speed. It draws no waveform: the loudness over time is not known. */
export function AudioPlayer({ url, seconds }: { readonly url: string; readonly seconds: number | null }) {
  const t = useMessages(conversationMessages);
  const format = useFormat();
  const audio = useRef<HTMLAudioElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [at, setAt] = useState(0);
  const [measured, setMeasured] = useState<number>();
  const [rate, setRate] = useState<(typeof rates)[number]>(1);
  // the server knows the duration of a converted recording, the browser of what it has loaded
  const length = measured ?? seconds ?? 0;
  const playedShare = length > 0 ? Math.min(at / length, 1) : 0;

  const toggle = () => {
    const player = audio.current;
    if (!player) {
      return;
    }
    if (isPlaying) {
      player.pause();
    } else {
      // one audio plays at a time
      document.querySelectorAll("audio").forEach((other) => other !== player && other.pause());
      player.playbackRate = rate;
      void player.play().catch(() => setPlaying(false));
    }
  };
  const seek = (to: number) => {
    const clamped = Math.min(Math.max(to, 0), length);
    setAt(clamped);
    if (audio.current) {
      audio.current.currentTime = clamped;
    }
  };
  const seekByPointer = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    seek(((event.clientX - box.left) / box.width) * length);
  };
  const seekByKey = (event: KeyboardEvent) => {
    const step = { ArrowRight: stepSeconds, ArrowLeft: -stepSeconds }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      seek(at + step);
    }
  };
  const nextRate = () => {
    const next = rates[(rates.indexOf(rate) + 1) % rates.length] ?? 1;
    setRate(next);
    if (audio.current) {
      audio.current.playbackRate = next;
    }
  };

  return (
    <Player>
      <audio
        ref={audio}
        src={url}
        preload="metadata"
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onEnded={() => setAt(0)}
        onTimeUpdate={(event) => setAt(event.currentTarget.currentTime)}
        onDurationChange={({ currentTarget }) =>
          Number.isFinite(currentTarget.duration) && setMeasured(currentTarget.duration)
        }
      />
      <PlayButton type="button" aria-label={t(isPlaying ? "pause" : "play")} onClick={toggle}>
        {isPlaying ? <Pause aria-hidden /> : <Play aria-hidden />}
      </PlayButton>
      <SeekBar
        role="slider"
        tabIndex={0}
        aria-label={t("position")}
        aria-valuemin={0}
        aria-valuemax={Math.round(length)}
        aria-valuenow={Math.round(at)}
        aria-valuetext={format.clock(at)}
        onPointerDown={seekByPointer}
        onKeyDown={seekByKey}
      >
        <span style={{ width: `${playedShare * 100}%` }} />
      </SeekBar>
      <TimeAndSpeed>
        <span>{format.clock(isPlaying || at > 0 ? at : length)}</span>
        <button type="button" aria-label={t("speed", { rate })} onClick={nextRate}>
          {rate}×
        </button>
      </TimeAndSpeed>
    </Player>
  );
}

const Player = styled("div")({
  display: "flex",
  alignItems: "center",
  gap: 10,
  width: 300,
  maxWidth: "100%",
  padding: "2px 0",
});
const PlayButton = styled("button")({
  flex: "none",
  display: "grid",
  placeItems: "center",
  width: 34,
  height: 34,
  border: 0,
  borderRadius: "50%",
  backgroundColor: color.accent,
  color: color.onAccent,
  cursor: "pointer",
  "& svg": { width: 16, height: 16, fill: "currentColor" },
});
/** The seek bar, high enough for a finger: a line in the middle, the played part over it, a knob at its end. */
const SeekBar = styled("div")({
  position: "relative",
  flex: 1,
  minWidth: 60,
  height: 28,
  cursor: "pointer",
  touchAction: "none",
  "&::before, & > span": {
    content: '""',
    position: "absolute",
    left: 0,
    top: 12,
    height: 4,
    borderRadius: 2,
    backgroundColor: color.accent,
  },
  "&::before": { right: 0, backgroundColor: color.lineStrong },
  "& > span::after": {
    content: '""',
    position: "absolute",
    right: -6,
    top: -4,
    width: 12,
    height: 12,
    borderRadius: "50%",
    backgroundColor: color.accent,
  },
});
const TimeAndSpeed = styled("div")({
  flex: "none",
  display: "flex",
  alignItems: "center",
  gap: 6,
  fontSize: 12,
  color: color.ink2,
  "& button": {
    border: 0,
    borderRadius: 6,
    padding: "2px 5px",
    background: color.chip,
    color: color.ink2,
    fontSize: 11,
    cursor: "pointer",
  },
});
