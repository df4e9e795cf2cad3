import { address, maybe, none, number, refusal, saying, some, someText, text } from "../format/kinds.ts";
import { form, pdf, png } from "../format/table.ts";
import type { SpecifiedRequest } from "../format/table.ts";

/** Specification 2, section 3. */
const record = { id: number, name: text, message: text, userId: maybe(number) };
const option = { id: number, name: text, path: maybe(text), mediaType: maybe(text) };

export const files: readonly SpecifiedRequest[] = [
  {
    request: "POST /files",
    proves: "the dialog's list, as the family sends it (O-07, E-03)",
    send: {
      name: "Catálogo",
      message: "Veja nosso catálogo",
      options: [
        { name: "Frente", path: "", mediaType: "", file: {} },
        { name: "Verso", path: "", mediaType: "" },
      ],
      userId: "{admin}",
    },
    holds: {
      ...record,
      name: "Catálogo",
      userId: "{admin}",
      options: [
        { ...option, name: "Frente" },
        { ...option, name: "Verso" },
      ],
    },
    keep: { files: "id", front: "options.0.id", back: "options.1.id" },
    hears: [
      {
        channel: "company-{company}-file",
        as: "agent",
        holds: { action: "create", record: { ...record, id: "{files}" } },
      },
    ],
  },
  {
    request: "POST /files/uploadList/{files}",
    proves: "the files with a field of each kind for each (O-07, E-03)",
    send: form(
      ["fileId", "1"],
      ["typeArch", "fileList"],
      ["files", png("meu bolo.png")],
      ["mediaType", "image/png"],
      ["name", "Frente"],
      ["id", "undefined"],
      ["files", pdf("tabela.pdf")],
      ["mediaType", "application/pdf"],
      ["name", "Verso"],
      ["id", "undefined"],
    ),
    after: [
      {
        get: "/files/{files}",
        holds: {
          options: [
            { name: "Frente", path: address, mediaType: "image/png" },
            { name: "Verso", path: address, mediaType: "application/pdf" },
          ],
        },
      },
    ],
  },
  { request: "GET /files/{files}", proves: "the dialog opens (O-07)", holds: record, keep: { record: "" } },
  {
    request: "PUT /files/{files}",
    proves: "the record whole, as it was read, goes back; its files stay (O-07, E-03)",
    send: "{record}",
    after: [
      {
        get: "/files/{files}",
        holds: {
          options: [
            { id: "{front}", path: address },
            { id: "{back}", path: address },
          ],
        },
      },
    ],
    hears: [{ channel: "company-{company}-file", as: "agent", holds: { action: "update", record: { id: "{files}" } } }],
  },
  {
    request: "GET /files/?searchParam=catalogo&pageNumber=1",
    proves: "a page of them (O-07)",
    holds: { files: [{ ...record, id: "{files}" }], count: 1, hasMore: false },
  },
  {
    request: "GET /files/?companyId={company}",
    proves: "all of them, for the pickers (O-07)",
    holds: { files: some({ id: "{files}", name: someText }), hasMore: false },
  },
  {
    request: "POST /files",
    proves: "a name of two letters is refused (O-07, E-03)",
    send: { name: "Ab", message: "Veja", options: [] },
    status: 400,
    holds: { ...(refusal("ERR_VALIDATION") as object), message: saying("nome muito curto") },
  },
  {
    request: "POST /files",
    proves: "an agent may not (O-07, E-01)",
    as: "agent",
    send: { name: "Minha", message: "Veja", options: [] },
    status: 403,
    holds: refusal("ERR_NO_PERMISSION"),
  },
  {
    request: "DELETE /files/{files}",
    proves: "is gone, and told (O-07)",
    after: [{ get: "/files/?companyId={company}", holds: { files: none({ id: "{files}" }) } }],
    hears: [{ channel: "company-{company}-file", as: "agent", holds: { action: "delete", id: "{files}" } }],
  },
];
