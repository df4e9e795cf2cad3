import type { Network } from "./network.ts";
import type { Phone } from "./phone.ts";
import { attr, node } from "./wire.ts";
import type { Connection } from "./connection.ts";
import type { Node } from "./wire.ts";

/** Tells the devices of these lines that a person or a group has another picture, or none any more. */
export function tellPicture(network: Network, from: string, lines: readonly Phone[], isShown: boolean): void {
  const id = network.newId("N");
  const change = node(isShown ? "set" : "delete", { id: network.seconds(), author: from });
  const attrs = { type: "picture", from, id, t: network.seconds() };
  for (const companion of lines.flatMap((line) => line.companions())) {
    companion.enqueue({ key: `notification:${id}`, node: node("notification", attrs, [change]) });
  }
}

/** Where the picture of a person or a group is; 404 where there is none, 401 where it is not for lines. */
export function answerPicture(network: Network, connection: Connection, iq: Node): void {
  const target = attr(iq, "target");
  const owner = network.groups.get(target.split("@", 1)[0] ?? "") ?? network.byJid(target);
  network.stats.pictureQuestions++;
  if (owner?.isPictureHidden) {
    connection.refuse(iq, 401, "not-authorized");
  } else if (owner?.picture === undefined) {
    connection.refuse(iq, 404, "item-not-found");
  } else {
    connection.answer(iq, [node("picture", { id: 1, type: "image", url: network.media.origin + owner.picture })]);
  }
}
