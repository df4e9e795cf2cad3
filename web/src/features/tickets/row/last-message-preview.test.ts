import { expect, test } from "vitest";
import { translator } from "#web/lib/text/i18n.ts";
import { aTicket } from "../../testing.ts";
import { ticketMessages } from "../tickets.i18n.ts";
import { foundPieces, lastMessageLine, lastMessagePreview } from "./last-message-preview.ts";

const t = translator(ticketMessages, "pt");
const keys = ((key: string) => key) as typeof t;

const marina = { kind: "user", user: { id: 1, name: "Marina" } } as const;

test.each([
  ["*Marina*\nJá *segue* o boleto", marina, "Já segue o boleto"],
  ["*Marina*\r\nA foto\r\nsegue", marina, "A foto segue"],
  ["*Marina*\nJá segue", null, "Marina Já segue"],
  ["*Marina*\nJá segue", { kind: "bot" }, "Marina Já segue"],
  ["*Promoção*\nSó hoje", marina, "Promoção Só hoje"],
] as const)(
  "a row that names the author of %j leaves the signature out of the preview (T-04, M-11)",
  (lastMessage, lastMessageAuthor, shown) => {
    expect(lastMessagePreview(aTicket({ lastMessage, lastMessageAuthor }), t)).toBe(shown);
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
  [null, "Oi"],
  [undefined, "Oi"],
  [marina, "Você: Oi"],
  [{ kind: "user", user: { id: 2, name: "Ana Lima" } }, "Ana: Oi"],
  [{ kind: "user", user: null }, "Equipe: Oi"],
  [{ kind: "bot" }, "Robô: Oi"],
  [{ kind: "campaign" }, "Campanha: Oi"],
  [{ kind: "phone" }, "Celular: Oi"],
] as const)("the row names the author of the last words, whoever owns the ticket: %j (T-04, B-03)", (author, line) => {
  const ticket = aTicket({ user: { id: 1, name: "Marina" } });
  // undefined: from a server of the release before
  expect(lastMessageLine({ ...ticket, lastMessageAuthor: author as typeof ticket.lastMessageAuthor }, 1, t)).toBe(line);
});

test.each([
  [null, ["Tem ", "boleto", "?"], ["Tem ", "boleto", "?"]],
  [marina, ["*Marina* Segue o ", "boleto", " de *novembro*"], ["Você: Segue o ", "boleto", " de novembro"]],
  [marina, ["…o ", "boleto", ""], ["Você: …o ", "boleto", ""]],
  [{ kind: "user", user: { id: 2, name: "Ana Lima" } }, ["", "Boleto", ""], ["Ana: ", "Boleto", ""]],
  [{ kind: "bot" }, ["O ", "boleto", ""], ["Robô: O ", "boleto", ""]],
  // from a server of the release before
  [undefined, ["O ", "boleto", ""], ["O ", "boleto", ""]],
] as const)("a found message of %j names its author, as a row does (T-03, Z-02)", (author, snippet, shown) => {
  const found = { ticketId: 1, messageId: 2, snippet: [...snippet], author: author as typeof marina };
  expect(foundPieces(found, 1, t)).toEqual(shown);
});
