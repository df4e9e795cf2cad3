import type { Network } from "../network/index.ts";
import { attr, node } from "../protocol/index.ts";
import type { Connection, Node } from "../protocol/index.ts";

/** Answers with the URL of the profile picture of a person or group; 404 if there is none, 401 if it is hidden. */
export function sendPictureUrl(network: Network, connection: Connection, iq: Node): void {
  const target = attr(iq, "target");
  const owner = network.groups.get(target.split("@", 1)[0] ?? "") ?? network.findByJid(target);
  network.stats.pictureQueries++;
  if (owner?.isPictureHidden) {
    connection.sendError(iq, 401, "not-authorized");
  } else if (owner?.picture === undefined) {
    connection.sendError(iq, 404, "item-not-found");
  } else {
    connection.sendResult(iq, [node("picture", { id: 1, type: "image", url: network.media.origin + owner.picture })]);
  }
}
