import { messageRules } from "@prosa/contract/messages";
import { expect, test } from "vitest";
import { isEditable, isRemovable } from "./own-changes.ts";

const now = Date.parse("2026-05-04T12:00:00Z");
const aged = (ms: number) => new Date(now - ms).toISOString();
const own = { fromMe: true, ack: 1, mediaType: "chat", createdAt: aged(60_000) } as const;

test.each([
  ["sent", own, [true, true]],
  ["waiting for its line", { ...own, ack: 0 }, [true, true]],
  ["failed", { ...own, ack: -1 }, [false, true]],
  ["a file", { ...own, mediaType: "image" as const }, [false, true]],
  ["too old for an edit", { ...own, createdAt: aged(messageRules.editWithinMs) }, [false, true]],
  ["too old", { ...own, createdAt: aged(messageRules.deleteWithinMs) }, [false, false]],
  ["the contact's", { ...own, fromMe: false }, [false, false]],
])("the menu of a message that is %s offers what the server allows (M-10)", (_, message, offered) => {
  expect([isEditable(message, now), isRemovable(message, now)]).toEqual(offered);
});
