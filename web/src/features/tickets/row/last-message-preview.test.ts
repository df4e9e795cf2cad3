import { expect, test } from "vitest";
import { translator } from "#web/lib/text/i18n.ts";
import { aTicket } from "../../testing.ts";
import { ticketMessages } from "../tickets.i18n.ts";
import { lastMessageAuthor, lastMessagePreview } from "./last-message-preview.ts";

const t = translator(ticketMessages, "pt");
const keys = ((key: string) => key) as typeof t;

test.each([
  ["*Marina*\nJá *segue* o boleto", true, "Já segue o boleto"],
  ["*Marina*\nJá segue", false, "Marina Já segue"],
  ["*Promoção*\nSó hoje", true, "Promoção Só hoje"],
])(
  "a row that names the author of %j leaves the signature out of the preview (T-04, M-11)",
  (lastMessage, isOurs, shown) => {
    expect(lastMessagePreview(aTicket({ lastMessage, lastMessageFromMe: isOurs }), t)).toBe(shown);
  },
);

test("the preview does not repeat the text of a deleted message (T-22)", () => {
  expect(lastMessagePreview({ lastMessage: "", lastMessageType: "deleted" }, keys)).toBe("🚫 bubble_deleted");
});

test("the preview names a voice message, not its file, and keeps the marks inside words (T-04)", () => {
  expect(lastMessagePreview({ lastMessage: "voz-20261121234640.mp3", lastMessageType: "audio" }, keys)).toBe(
    "🎤 bubble_audio",
  );
  expect(lastMessagePreview({ lastMessage: "*Ana*:\na_b@c.d", lastMessageType: "conversation" }, keys)).toBe(
    "Ana: a_b@c.d",
  );
});

test.each([
  [{ lastMessageFromMe: false, user: { id: 1, name: "Ana" }, chatbot: false }, undefined],
  [{ lastMessageFromMe: true, user: { id: 1, name: "Ana" }, chatbot: false }, "you"],
  [{ lastMessageFromMe: true, user: { id: 2, name: "Rui" }, chatbot: false }, "team"],
  [{ lastMessageFromMe: true, user: null, chatbot: true }, "bot"],
  [{ lastMessageFromMe: true, user: null, chatbot: false }, "team"],
] as const)('the row says "you" only of one\'s own messages: %j is of %s (T-04)', (ticket, author) => {
  expect(lastMessageAuthor(ticket, 1)).toBe(author);
});
