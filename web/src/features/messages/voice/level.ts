/** Shown as silence (dB relative to full scale). */
const silenceDb = -55;

/** Loudness of the samples from 0 to 1, on a decibel scale as the ear perceives it. */
export function levelOf(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) {
    sum += sample * sample;
  }
  const decibels = 10 * Math.log10(sum / Math.max(1, samples.length) + 1e-12);
  return Math.min(1, Math.max(0, 1 - decibels / silenceDb));
}
