import sharp from "sharp";
import { createFairQueue } from "./fair-queue.ts";

/** Larger pictures are refused as decompression bombs: a JPEG is scaled down while it is decoded, other formats are decoded whole. */
const maxPixels = { jpeg: 100_000_000, other: 40_000_000 };
/** A scan of A4 at 600 dpi takes a second. */
const timeoutSeconds = 20;

/** A picture runs in a thread of libuv's pool of four; passwords take two, files and name look-ups need the last. */
const inTurn = createFairQueue(1);

interface PictureScale {
  /** Pixels: of the square that is filled (`cover`), or of the longest side (`inside`, which enlarges nothing). */
  readonly side: number;
  readonly fit: "cover" | "inside";
  /** Of the JPEG, up to 100. */
  readonly quality: number;
  /** Ends the wait for its turn. */
  readonly signal?: AbortSignal;
}

interface ScaledPicture {
  /** Pixels of the original, as it is shown. */
  readonly width: number;
  readonly height: number;
  readonly jpeg: Buffer;
}

/**
 * A small upright JPEG, without metadata, of a picture in a file or in memory. One at a time in this process, and the companies take
 * turns. Throws a plain Error for what is no picture or too large, and the reason of the signal.
 */
export function scalePicture(
  source: string | Uint8Array,
  companyId: number,
  { signal, ...scale }: PictureScale,
): Promise<ScaledPicture> {
  return inTurn(companyId, () => scaleNow(source, scale), signal);
}

async function scaleNow(source: string | Uint8Array, { side, fit, quality }: PictureScale): Promise<ScaledPicture> {
  const picture = sharp(source, { limitInputPixels: maxPixels.jpeg }).rotate();
  const { format, width, height, autoOrient } = await picture.metadata();
  if (format !== "jpeg" && width * height > maxPixels.other) {
    throw new Error("the picture has too many pixels");
  }
  const jpeg = await picture
    .resize(side, side, { fit, withoutEnlargement: fit === "inside" })
    .flatten({ background: "#fff" })
    .jpeg({ quality })
    .timeout({ seconds: timeoutSeconds })
    .toBuffer();
  return { width: autoOrient.width, height: autoOrient.height, jpeg };
}
