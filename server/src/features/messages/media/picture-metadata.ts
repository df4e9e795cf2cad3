import { scalePicture } from "#server/platform/scale-picture.ts";

/** What a message bubble shows of a picture before it is loaded. Sizes in pixels, the thumbnail is a JPEG. */
export interface PictureMetadata {
  readonly width: number | null;
  readonly height: number | null;
  readonly thumbnail: Uint8Array | null;
}

const none: PictureMetadata = { width: null, height: null, thumbnail: null };

/** Reads the size after rotation and makes a thumbnail. All null for what is no readable picture. */
export async function readPictureMetadata(
  companyId: number,
  path: string,
  contentType: string,
): Promise<PictureMetadata> {
  if (!contentType.startsWith("image/")) {
    return none;
  }
  try {
    const { width, height, jpeg } = await scalePicture(path, companyId, { side: 72, fit: "inside", quality: 50 });
    return { width, height, thumbnail: jpeg };
  } catch {
    return none;
  }
}
