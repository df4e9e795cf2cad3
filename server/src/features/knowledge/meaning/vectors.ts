/** A vector as it is compared: of length 1. */
export type UnitVector = Float32Array;

/** Of length 1, so that similarity does not depend on the service's scale. Undefined for one of zeros. Pure. */
export function unitVector(components: readonly number[]): UnitVector | undefined {
  const length = Math.hypot(...components);
  return length > 0 && Number.isFinite(length) ? Float32Array.from(components, (each) => each / length) : undefined;
}

/** The signs of the components as a bit string: two texts alike differ in few of them. Pure. */
export function signsOf(vector: UnitVector): string {
  return Array.from(vector, (each) => (each > 0 ? "1" : "0")).join("");
}

/** A signed byte for each component: a quarter of the room, and an error of similarity far below what tells texts apart. Pure. */
export function bytesOf(vector: UnitVector): Buffer {
  const largest = vector.reduce((most, each) => Math.max(most, Math.abs(each)), 0);
  const bytes = Int8Array.from(vector, (each) => Math.round((each / largest) * 127));
  return Buffer.from(bytes.buffer);
}

/** Cosine of the angle between a vector and one that is stored. Pure. */
export function similarityTo(vector: UnitVector, stored: Uint8Array): number {
  const bytes = new Int8Array(stored.buffer, stored.byteOffset, stored.byteLength);
  let product = 0;
  let square = 0;
  for (let index = 0; index < vector.length; index += 1) {
    const component = bytes[index] ?? 0;
    product += (vector[index] ?? 0) * component;
    square += component * component;
  }
  return square === 0 ? 0 : product / Math.sqrt(square);
}

/** Cosine of the angle between two. Pure. */
export function similarity(one: UnitVector, other: UnitVector): number {
  return one.reduce((sum, each, index) => sum + each * (other[index] ?? 0), 0);
}
