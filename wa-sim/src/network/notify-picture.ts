import { node } from "../protocol/index.ts";
import type { Context } from "./context.ts";
import type { LineAccount } from "./line-account.ts";

/** Notifies the devices of these lines that a person or a group has changed or removed its picture. */
export function notifyPicture(context: Context, from: string, lines: readonly LineAccount[], isShown: boolean): void {
  const id = context.newId("N");
  const change = node(isShown ? "set" : "delete", { id: context.seconds(), author: from });
  const attrs = { type: "picture", from, id, t: context.seconds() };
  for (const companion of lines.flatMap((line) => line.companions())) {
    companion.enqueue({ key: `notification:${id}`, node: node("notification", attrs, [change]) });
  }
}
