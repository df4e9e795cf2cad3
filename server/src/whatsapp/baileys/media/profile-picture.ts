import { SendError } from "../../port.ts";
import type { Address, LineSettings } from "../../port.ts";
import { jidOf } from "../addresses.ts";
import type { WASocket } from "../library.ts";
import { FileGone, downloadPlain } from "./download.ts";

/** Unauthorized, forbidden, not found: a retry cannot help. */
const NO_PICTURE: ReadonlySet<number> = new Set([401, 403, 404]);
/** A profile picture has 640 pixels a side. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Looks up the URL of a picture and downloads it. `none` for one that is hidden from us as for one that does not exist. */
export async function fetchProfilePicture(
  sock: WASocket,
  of: Address,
  path: string,
  { settings, withinMs }: { readonly settings: LineSettings; readonly withinMs: number },
): Promise<"fetched" | "none"> {
  const url = await profilePictureUrl(sock, of, withinMs);
  if (url === undefined) {
    return "none";
  }
  try {
    await downloadPlain(path, url, settings, MAX_BYTES);
    return "fetched";
  } catch (error) {
    if (error instanceof FileGone) {
      return "none";
    }
    throw error;
  }
}

async function profilePictureUrl(sock: WASocket, of: Address, withinMs: number): Promise<string | undefined> {
  const askedAt = performance.now();
  try {
    const url = await sock.profilePictureUrl(jidOf(of), "image", withinMs);
    // The library returns undefined for a timeout as well as for an answer without a URL.
    if (url === undefined && performance.now() - askedAt >= withinMs) {
      throw new SendError("timeout", true, { detail: "WhatsApp did not say where the picture is" });
    }
    return url;
  } catch (error) {
    const { data } = (error ?? {}) as { readonly data?: unknown };
    if (typeof data === "number" && NO_PICTURE.has(data)) {
      return undefined;
    }
    throw error;
  }
}
