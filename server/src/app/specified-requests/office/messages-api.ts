import { refusal, text } from "../format/kinds.ts";
import { form, png } from "../format/table.ts";
import type { SpecifiedRequest } from "../format/table.ts";

const token = "o-token-dos-pedidos-especificados";
const headers = { authorization: `Bearer ${token}` };

/** Specification 2, section 7: other software sends by a connection's token. */
export const messagesApi: readonly SpecifiedRequest[] = [
  {
    request: "PUT /whatsapp/{connection}",
    proves: "the token that other software will send with is taken (W-02, X-01)",
    send: { name: "Balcão", isDefault: true, greetingMessage: "Bom dia!", queueIds: ["{queue}", "{sales}"], token },
  },
  {
    request: "POST /api/messages/send",
    proves: "JSON: a number and a text (X-01)",
    as: "nobody",
    headers,
    send: { number: "5511987650077", body: "Seu pedido saiu" },
    holds: { mensagem: "Mensagem enviada", messageId: text },
  },
  {
    request: "POST /api/messages/send",
    proves: "multipart: a file with its words (X-01)",
    as: "nobody",
    headers,
    send: form(["number", "5511987650077"], ["body", "A nota"], ["medias", png("nota.png")]),
    holds: { mensagem: "Mensagem enviada", messageId: text },
  },
  {
    request: "POST /api/messages/send",
    proves: "without a token nothing is sent (X-01, E-01)",
    as: "nobody",
    send: { number: "5511987650077", body: "Oi" },
    status: 401,
    holds: refusal("ERR_NOT_SIGNED_IN"),
  },
];
