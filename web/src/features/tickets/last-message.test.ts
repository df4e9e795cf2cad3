import { expect, test } from "vitest";
import { translator } from "#web/lib/i18n.ts";
import { aTicket } from "../testing.ts";
import { lastMessageText } from "./last-message.ts";
import { ticketMessages } from "./tickets.i18n.ts";

const t = translator(ticketMessages, "pt");

test.each([
  ["*Marina*\nJá *segue* o boleto", true, "Já segue o boleto"],
  ["*Marina*\nJá segue", false, "Marina Já segue"],
  ["*Promoção*\nSó hoje", true, "Promoção Só hoje"],
])(
  "a row that says who wrote %j does not spend its line on the signature (T-04, M-11)",
  (lastMessage, isOurs, shown) => {
    expect(lastMessageText(aTicket({ lastMessage, lastMessageFromMe: isOurs }), t)).toBe(shown);
  },
);
