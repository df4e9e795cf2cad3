/** The notification sound, synthesized: two soft notes. */
import { currentVolume } from "#web/lib/browser/volume.ts";

/** A fifth upwards, like a small bell: frequency (Hz), start and length (s). */
const notes = [
  { hertz: 659.25, at: 0, seconds: 0.45 },
  { hertz: 987.77, at: 0.11, seconds: 0.7 },
] as const;
/** Gain at full volume. */
const LOUDEST = 0.22;
/** A sound that would come later than this tells of nothing new any more (ms). */
const LATE_MS = 3_000;

let context: AudioContext | undefined;

/** Unlocks audio on the first touch or key, as browsers require. Returns the function that stops it. */
export function readyChime(): () => void {
  const start = () => {
    context ??= "AudioContext" in window ? new AudioContext() : undefined;
    void context?.resume();
  };
  const unlock = () => {
    start();
    end();
  };
  const end = () => {
    window.removeEventListener("pointerdown", unlock);
    window.removeEventListener("keydown", unlock);
  };
  window.addEventListener("pointerdown", unlock);
  window.addEventListener("keydown", unlock);
  if ("userActivation" in navigator && navigator.userActivation.hasBeenActive) {
    // The page was touched before this code had come.
    start();
  }
  return end;
}

/** Plays the sound once at the user's volume; silent before the first interaction with the page. */
export function chime(volume = currentVolume()): void {
  const audio = context;
  if (!audio || volume === 0) {
    return;
  }
  const asked = performance.now();
  // Where that interaction was a moment ago, audio is still starting.
  void audio.resume().then(() => {
    if (performance.now() - asked < LATE_MS) {
      ring(audio, volume);
    }
  });
}

function ring(audio: AudioContext, volume: number): void {
  const begin = audio.currentTime + 0.01;
  for (const { hertz, at, seconds } of notes) {
    const tone = audio.createOscillator();
    const loudness = audio.createGain();
    tone.type = "sine";
    tone.frequency.value = hertz;
    loudness.gain.setValueAtTime(0, begin + at);
    loudness.gain.linearRampToValueAtTime(LOUDEST * volume, begin + at + 0.015);
    loudness.gain.exponentialRampToValueAtTime(0.0001, begin + at + seconds);
    tone.connect(loudness).connect(audio.destination);
    tone.start(begin + at);
    tone.stop(begin + at + seconds);
  }
}
