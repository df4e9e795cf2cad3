import { flag, maybe, none, number, refusal, some, someText, text } from "../format/kinds.ts";
import { form, plainFile, png } from "../format/table.ts";
import type { SpecifiedRequest } from "../format/table.ts";

/** Specification 2, section 3. */
const record = {
  id: number,
  shortcode: text,
  message: text,
  geral: flag,
  status: flag,
  isMedia: flag,
  mediaPath: maybe(text),
  mediaName: maybe(text),
};

export const quickMessages: readonly SpecifiedRequest[] = [
  {
    request: "POST /quick-messages",
    proves: "the dialog's reply, as the family sends it (O-01, E-03)",
    as: "agent",
    send: {
      shortcode: "ola",
      message: "Olá, {{firstName}}!",
      isMedia: false,
      mediaPath: null,
      geral: false,
      status: true,
      userId: "{agent}",
    },
    holds: { ...record, shortcode: "ola", message: "Olá, {{firstName}}!" },
    keep: { quick: "id" },
    hears: [
      {
        channel: "company-{company}-quickmessage",
        as: "agent",
        holds: { action: "create", record: { ...record, id: "{quick}" } },
      },
    ],
  },
  {
    request: "POST /quick-messages",
    proves: "shortcode and message are enough (O-01, E-03)",
    as: "agent",
    send: { shortcode: "tchau", message: "Até logo!" },
    holds: record,
    keep: { bye: "id" },
  },
  {
    request: "POST /quick-messages",
    proves: "a shortcode is required, in a sentence (O-01, E-03)",
    as: "agent",
    send: { shortcode: "", message: "Oi" },
    status: 400,
    holds: refusal("ERR_VALIDATION"),
  },
  {
    request: "GET /quick-messages?searchParam=ola&pageNumber=1&userId={agent}",
    proves: "a page of one's own (O-01)",
    as: "agent",
    holds: { records: [{ ...record, id: "{quick}" }], count: 1, hasMore: false },
  },
  {
    request: "GET /quick-messages/list?companyId={company}&userId={agent}",
    proves: "the suggestions are a bare list (M-12)",
    as: "agent",
    holds: some({ id: "{quick}", shortcode: "ola", message: text, mediaPath: maybe(text) }),
  },
  {
    request: "GET /quick-messages/list?companyId={company}&userId={colleague}",
    proves: "a colleague's suggestions have it not (O-01)",
    as: "colleague",
    holds: none({ id: "{quick}" }),
  },
  {
    request: "POST /quick-messages/{quick}/media-upload",
    proves: "a file, with the kind of archive that clients name (O-01)",
    as: "agent",
    send: form(["typeArch", "quickMessage"], ["file", png("meu bolo.png")]),
    after: [
      {
        get: "/quick-messages/{quick}",
        as: "agent",
        holds: { id: "{quick}", mediaName: "meu_bolo.png", mediaPath: someText, isMedia: true },
      },
    ],
  },
  {
    request: "GET /quick-messages/{quick}",
    proves: "the dialog opens (O-01)",
    as: "agent",
    holds: record,
    keep: { record: "" },
  },
  {
    request: "PUT /quick-messages/{quick}",
    proves: "the record whole, as it was read, goes back; its file stays (O-01, E-03)",
    as: "agent",
    send: "{record}",
    after: [{ get: "/quick-messages/{quick}", as: "agent", holds: { shortcode: "ola", mediaName: "meu_bolo.png" } }],
  },
  {
    request: "PUT /quick-messages/{quick}",
    proves: "for everybody, told to all (O-01)",
    send: { id: "{quick}", shortcode: "oi", message: "Oi!", geral: true, status: true, isMedia: true },
    after: [{ get: "/quick-messages/list", as: "colleague", holds: some({ id: "{quick}", shortcode: "oi" }) }],
    hears: [
      {
        channel: "company-{company}-quickmessage",
        as: "colleague",
        holds: { action: "update", record: { id: "{quick}", geral: true } },
      },
    ],
  },
  {
    request: "DELETE /quick-messages/{quick}/media-upload",
    proves: "the file is gone (O-01)",
    as: "agent",
    after: [
      { get: "/quick-messages/{quick}", as: "agent", holds: { mediaPath: null, mediaName: null, isMedia: false } },
    ],
  },
  {
    request: "POST /quick-messages/{quick}/media-upload",
    proves: "a web page is no attachment (O-01, E-01)",
    as: "agent",
    send: form(["typeArch", "quickMessage"], ["file", plainFile("a.html", "text/html", "<script>1</script>")]),
    status: 415,
    holds: refusal("ERR_FILE_TYPE"),
  },
  {
    request: "DELETE /quick-messages/{quick}",
    proves: "is gone, and told (O-01)",
    as: "agent",
    after: [{ get: "/quick-messages/list", as: "agent", holds: none({ id: "{quick}" }) }],
    hears: [{ channel: "company-{company}-quickmessage", as: "agent", holds: { action: "delete", id: "{quick}" } }],
  },
];
