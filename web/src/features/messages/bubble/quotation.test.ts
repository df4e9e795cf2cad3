import { expect, test } from "vitest";
import { translator } from "#web/lib/text/i18n.ts";
import { aMessage } from "../../testing.ts";
import { conversationMessages } from "../messages.i18n.ts";
import { quotedAuthor } from "./quotation.ts";

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
