import { expect, test } from "vitest";
import { translator } from "#web/lib/text/i18n.ts";
import { aMessage } from "../../testing.ts";
import { conversationMessages } from "../messages.i18n.ts";
import { unsignedText } from "../unsigned-text.ts";
import { authorName, quotedAuthor, quotedText } from "./quotation.ts";

const t = translator(conversationMessages, "pt");
const ours = { fromMe: true, contact: null, clientId: "a" };

test.each([
  [{ contact: { ...aMessage().contact!, name: "Camila Souza" } }, "Camila Souza"],
  [{ participant: { number: "553", name: "Rui" } }, "Rui"],
  [{ ...ours, isAutomatic: true }, "Robô"],
  [{ ...ours, user: { id: 1, name: "Marina" } }, "Você"],
  [{ ...ours, user: { id: 2, name: "Ana Lima" } }, "Ana Lima"],
  [{ ...ours, user: null }, "Equipe"],
  [{ ...ours, clientId: null }, "Celular"],
])("a quotation names its author: %j is of %s (M-09, B-03)", (message, author) => {
  expect(quotedAuthor(aMessage(message), 1, t)).toBe(author);
});

test("above a group of own bubbles stands the name, also the reader's own (Z-02)", () => {
  expect(authorName(aMessage({ ...ours, user: { id: 1, name: "Marina" } }), t)).toBe("Marina");
  expect(authorName(aMessage({ ...ours, isAutomatic: true }), t)).toBe("Robô");
  expect(authorName(aMessage({ ...ours, clientId: null }), t)).toBe("Celular");
});

test("the name stands once: the signature that the customer sees is not shown below it (Z-02, M-11)", () => {
  const signed = aMessage({ ...ours, user: { id: 2, name: "Ana Lima" }, body: "*Ana Lima*\nTemos *sim*!" });
  expect(unsignedText(signed)).toBe("Temos *sim*!");
  expect(quotedText(signed, t)).toBe("Temos sim!");
  expect(quotedText({ ...signed, isDeleted: true }, t)).toBe("Mensagem apagada");
  expect(unsignedText({ ...signed, user: { id: 3, name: "Rui" } })).toBe(signed.body);
});
