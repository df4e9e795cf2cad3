import sharp from "sharp";

/** What a message bubble shows of a picture before it is loaded. Sizes in pixels, the thumbnail is a JPEG. */
export interface PictureMetadata {
  readonly width: number | null;
  readonly height: number | null;
  readonly thumbnail: Uint8Array | null;
}

const none: PictureMetadata = { width: null, height: null, thumbnail: null };
/** Larger pictures are refused as decompression bombs. */
const maxPixels = 100_000_000;

/** Reads the size after rotation and makes a thumbnail. All null for what is no readable picture. */
export async function readPictureMetadata(path: string, contentType: string): Promise<PictureMetadata> {
  if (!contentType.startsWith("image/")) {
    return none;
  }
  try {
    const picture = sharp(path, { limitInputPixels: maxPixels }).rotate();
    const { autoOrient } = await picture.metadata();
    const thumbnail = await picture
      .resize(72, 72, { fit: "inside" })
      .flatten({ background: "#fff" })
      .jpeg({ quality: 50 })
      .toBuffer();
    return { width: autoOrient.width, height: autoOrient.height, thumbnail };
  } catch {
    return none;
  }
}
