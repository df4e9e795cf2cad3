import { styled } from "#web/ui/styled.ts";
import { Pause, Play } from "lucide-react";
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type PointerEvent } from "react";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { color, media, size, visuallyHidden } from "#web/ui/theme.ts";
import { conversationMessages } from "../messages.i18n.ts";
import { barCount, barsPath, decodeWaveform, evenLine, measureWaveform } from "./waveform.ts";

const rates = [1, 1.5, 2] as const;
const stepSeconds = 5;

export interface AudioPlayerProps {
  readonly url: string;
  readonly seconds: number | null;
  /** Its loudness as the message says it; else it is measured when the file is played. */
  readonly waveform: string | null;
  /** What it says in words, where somebody transcribed it. */
  readonly transcript: string | null;
}

/** A voice message with its words below it. */
export function AudioPlayer({ transcript, ...props }: AudioPlayerProps) {
  const t = useMessages(conversationMessages);
  return (
    <>
      <Sound {...props} />
      {transcript && (
        <Transcript>
          <span>{t("transcript")}: </span>
          {transcript}
        </Transcript>
      )}
    </>
  );
}

/** Plays a voice message: waveform to seek in, duration and speed. */
function Sound({ url, seconds, waveform }: Omit<AudioPlayerProps, "transcript">) {
  const t = useMessages(conversationMessages);
  const format = useFormat();
  const audio = useRef<HTMLAudioElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [at, setAt] = useState(0);
  const bars = useWaveform(url, waveform, isPlaying);
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
  const startSeek = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    seekByPointer(event);
  };
  const seekByPointer = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    seek(((event.clientX - box.left) / box.width) * length);
  };
  const seekByKey = (event: KeyboardEvent) => {
    const to = { ArrowRight: at + stepSeconds, ArrowLeft: at - stepSeconds, Home: 0, End: length }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      seek(to);
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
        onPointerDown={startSeek}
        onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && seekByPointer(event)}
        onKeyDown={seekByKey}
      >
        <Bars bars={bars} />
        <span style={{ clipPath: `inset(0 ${(1 - playedShare) * 100}% 0 0)` }}>
          <Bars bars={bars} />
        </span>
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

/** The bars of the message; a calm line until they are known. */
function useWaveform(url: string, waveform: string | null, isPlaying: boolean): readonly number[] {
  const given = useMemo(() => decodeWaveform(waveform), [waveform]);
  const [measured, setMeasured] = useState<readonly number[]>();
  const isWanted = isPlaying && !given && !measured;
  useEffect(() => {
    if (!isWanted) {
      return;
    }
    // once it plays, the file is in the browser's cache
    const loading = new AbortController();
    void measureWaveform(url, loading.signal).then((bars) => loading.signal.aborted || setMeasured(bars));
    return () => loading.abort();
  }, [isWanted, url]);
  return given ?? measured ?? evenLine;
}

function Bars({ bars }: { readonly bars: readonly number[] }) {
  return (
    <svg viewBox={`0 0 ${barCount * 5} 28`} preserveAspectRatio="none" aria-hidden>
      <path d={barsPath(bars)} />
    </svg>
  );
}

const Transcript = styled("p")({
  maxWidth: 300,
  fontSize: 13,
  lineHeight: 1.45,
  color: color.ink2,
  whiteSpace: "pre-wrap",
  overflowWrap: "anywhere",
  "& > span": visuallyHidden,
});
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
  [media.coarse]: { width: size.finger, height: size.finger },
});
/** The waveform, high enough for a finger; the played part lies over it in the accent. */
const SeekBar = styled("div")({
  position: "relative",
  flex: 1,
  minWidth: 60,
  height: 34,
  borderRadius: 6,
  cursor: "pointer",
  touchAction: "none",
  color: color.ink3,
  "& > span": { position: "absolute", inset: 0, color: color.accent },
  "& svg": { display: "block", position: "absolute", inset: "3px 0", width: "100%", height: 28, overflow: "visible" },
  "& path": {
    fill: "none",
    stroke: "currentColor",
    strokeWidth: 3,
    strokeLinecap: "round",
    vectorEffect: "non-scaling-stroke",
  },
});
const TimeAndSpeed = styled("div")({
  flex: "none",
  display: "flex",
  alignItems: "center",
  gap: 6,
  fontSize: 12,
  color: color.ink2,
  fontVariantNumeric: "tabular-nums",
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
