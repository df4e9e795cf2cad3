const READS = 2_000_000;
const sizesMb = [8, 100] as const;

/**
 * Nanoseconds of a read at random in 8 and in 100 MB. Other machines on the host share the cache and the memory with this one: when they
 * take it, statements and requests, which read far apart, take twice as long, while arithmetic takes what it took. So two runs compare only
 * where these numbers do.
 */
export function measureMachine(): [what: string, value: number][] {
  return sizesMb.map((megabytes) => [`machine: ns of a read in ${megabytes} MB`, nanosecondsOfRead(megabytes)]);
}

/** Each entry names the next one, so that no read begins before the one before it has ended. */
function nanosecondsOfRead(megabytes: number): number {
  const chain = oneCycle((megabytes * 1_048_576) / Uint32Array.BYTES_PER_ELEMENT);
  let at = 0;
  const follow = () => {
    const began = performance.now();
    for (let read = 0; read < READS; read += 1) {
      at = chain[at]!;
    }
    return ((performance.now() - began) / READS) * 1e6;
  };
  follow(); // compiles the loop
  return follow();
}

/** A permutation of one cycle through all entries (Sattolo). */
function oneCycle(length: number): Uint32Array {
  const chain = Uint32Array.from({ length }, (_, index) => index);
  for (let last = length - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * last);
    [chain[last], chain[other]] = [chain[other]!, chain[last]!];
  }
  return chain;
}
