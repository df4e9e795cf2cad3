/** Below this nothing is heard (dB below the loudest). */
const quiet = -55;

/** How loud samples are, 0 to 1, as ears judge it: in decibels, not in volts. */
export function levelOf(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) {
    sum += sample * sample;
  }
  const decibels = 10 * Math.log10(sum / Math.max(1, samples.length) + 1e-12);
  return Math.min(1, Math.max(0, 1 - decibels / quiet));
}
