import { SendError } from "../../port.ts";
import type { Address, LineSettings } from "../../port.ts";
import { jidOf } from "../addresses.ts";
import type { WASocket } from "../library.ts";
import { FileGone, fetchPlain } from "./download.ts";

/** Not for us, forbidden, none there: asking again soon cannot help. */
const NO_PICTURE: ReadonlySet<number> = new Set([401, 403, 404]);
/** A profile picture has 640 pixels a side. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Asks WhatsApp for the address of a picture and fetches it. What is not for us is answered like what is not there. */
export async function fetchProfilePicture(
  sock: WASocket,
  of: Address,
  path: string,
  { settings, withinMs }: { readonly settings: LineSettings; readonly withinMs: number },
): Promise<"fetched" | "none"> {
  const url = await addressOfPicture(sock, of, withinMs);
  if (url === undefined) {
    return "none";
  }
  try {
    await fetchPlain(path, url, settings, MOST_BYTES);
    return "fetched";
  } catch (error) {
    if (error instanceof FileGone) {
      return "none";
    }
    throw error;
  }
}

async function addressOfPicture(sock: WASocket, of: Address, withinMs: number): Promise<string | undefined> {
  const askedAt = performance.now();
  try {
    const url = await sock.profilePictureUrl(jidOf(of), "image", withinMs);
    // The library answers a question that nobody answered like one whose answer has no address.
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
