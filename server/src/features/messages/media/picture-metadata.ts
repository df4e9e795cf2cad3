import sharp from "sharp";

/** What a bubble needs to know of a picture before it is loaded. */
export interface PictureFacts {
  readonly width: number | null;
  readonly height: number | null;
  readonly thumbnail: Uint8Array | null;
}

const none: PictureFacts = { width: null, height: null, thumbnail: null };
/** Pixels; a larger picture is a bomb, not a photo. */
const mostPixels = 100_000_000;

/** Size as it is shown, and a small blurred-looking JPEG. A picture that cannot be read has neither. */
export async function factsOfPicture(path: string, contentType: string): Promise<PictureFacts> {
  if (!contentType.startsWith("image/")) {
    return none;
  }
  try {
    const picture = sharp(path, { limitInputPixels: mostPixels }).rotate();
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
