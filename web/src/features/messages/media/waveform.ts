/** How loud is a voice message over its length? Heights of 0 to 1 for its bars. */

export const barCount = 40;
/** While nobody has said it: a calm line. */
export const evenLine: readonly number[] = Array.from({ length: barCount }, () => 0);
/** Larger files are played without being measured: decoding takes memory. */
const maxMeasuredBytes = 4_000_000;
/** Enough for loudness, and small. */
const measuredRate = 8_000;

/** The heights that WhatsApp or our server sent: bytes of 0 to 100 in base64. Undefined for none. */
export function decodeWaveform(base64: string | null | undefined): number[] | undefined {
  if (!base64) {
    return undefined;
  }
  const heights = [...atob(base64)].map((byte) => Math.min(byte.charCodeAt(0), 100) / 100);
  return heights.some((height) => height > 0) ? barsOf(heights) : undefined;
}

/** The loudest of each bar's part, as a share of the loudest of all. */
export function barsOf(heights: ArrayLike<number>): number[] {
  const bars = Array.from({ length: barCount }, (_, bar) => {
    const from = Math.floor((bar * heights.length) / barCount);
    const to = Math.max(from + 1, Math.floor(((bar + 1) * heights.length) / barCount));
    let loudest = 0;
    for (let at = from; at < to; at += 1) {
      loudest = Math.max(loudest, Math.abs(heights[at] ?? 0));
    }
    return loudest;
  });
  const most = Math.max(...bars);
  return most === 0 ? bars : bars.map((bar) => bar / most);
}

/** Measures a file that the browser has loaded for playing. Undefined where it cannot be read. */
export async function measureWaveform(url: string, signal: AbortSignal): Promise<number[] | undefined> {
  try {
    const answer = await fetch(url, { signal });
    const bytes = await answer.arrayBuffer();
    if (!answer.ok || bytes.byteLength > maxMeasuredBytes) {
      return undefined;
    }
    const sound = await new OfflineAudioContext(1, 1, measuredRate).decodeAudioData(bytes);
    return barsOf(sound.getChannelData(0));
  } catch {
    return undefined; // it plays all the same
  }
}

/** The bars as one path in a box of `barCount * 5` by 28, each centred on the middle line. */
export function barsPath(bars: readonly number[]): string {
  return bars
    .map((height, index) => {
      const half = 1 + height * 11;
      return `M${index * 5 + 2.5} ${(14 - half).toFixed(1)}V${(14 + half).toFixed(1)}`;
    })
    .join("");
}
