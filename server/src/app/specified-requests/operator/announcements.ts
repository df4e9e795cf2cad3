import { flag, maybe, none, number, refusal, some, someText, text, time } from "../format/kinds.ts";
import { form, plainFile, png } from "../format/table.ts";
import type { SpecifiedRequest } from "../format/table.ts";

const announcement = {
  id: number,
  title: text,
  text,
  priority: number,
  status: flag,
  mediaPath: maybe(text),
  mediaName: maybe(text),
  createdAt: time,
};

/** Specification 1 and 2, sections 3, 5, 6 and 7; behaviour 2. */
export const announcements: readonly SpecifiedRequest[] = [
  {
    request: "POST /announcements",
    proves: "title and text are enough; priority 3 and active are the defaults (O-05, E-03)",
    as: "operator",
    send: { title: "Novidades", text: "Chegou o quadro." },
    holds: { ...announcement, priority: 3, status: true },
    keep: { news: "id" },
    hears: [
      {
        channel: "company-announcement",
        as: "agent",
        holds: { action: "create", record: { ...announcement, id: "{news}", title: "Novidades" } },
      },
    ],
  },
  {
    request: "GET /announcements/?searchParam=novidades&pageNumber=1",
    proves: "everybody's bell reads records (O-05, T-23)",
    as: "agent",
    holds: { records: some({ ...announcement, id: "{news}" }), count: number, hasMore: flag },
  },
  {
    request: "GET /announcements",
    proves: "without parameters (O-05)",
    as: "stranger",
    holds: { records: some({ id: "{news}" }) },
  },
  {
    request: "POST /announcements/{news}/media-upload",
    proves: "a picture (O-05)",
    as: "operator",
    send: form(["file", png("quadro.png")]),
    after: [{ get: "/announcements/{news}", as: "operator", holds: { mediaName: "quadro.png", mediaPath: someText } }],
  },
  {
    request: "POST /announcements/{news}/media-upload",
    proves: "only png, jpg and jpeg (O-05, E-01)",
    as: "operator",
    send: form(["file", plainFile("nota.txt", "text/plain", "nota")]),
    status: 415,
    holds: refusal("ERR_FILE_TYPE"),
  },
  {
    request: "GET /announcements/{news}",
    proves: "the dialog opens (O-05)",
    as: "operator",
    holds: announcement,
    keep: { record: "" },
  },
  {
    request: "PUT /announcements/{news}",
    proves: "the record whole, as it was read, goes back; its picture stays (O-05, E-03)",
    as: "operator",
    send: "{record}",
    after: [{ get: "/announcements/{news}", as: "operator", holds: { title: "Novidades", mediaName: "quadro.png" } }],
  },
  {
    request: "PUT /announcements/{news}",
    proves: "priority and status as texts of a choice (O-05, E-03)",
    as: "operator",
    send: { id: "{news}", title: "Novidades!", text: "Chegou o quadro.", priority: "1", status: "true" },
    after: [
      { get: "/announcements/{news}", as: "operator", holds: { title: "Novidades!", priority: 1, status: true } },
    ],
    hears: [
      {
        channel: "company-announcement",
        as: "agent",
        holds: { action: "update", record: { id: "{news}", title: "Novidades!" } },
      },
    ],
  },
  {
    request: "DELETE /announcements/{news}/media-upload",
    proves: "the picture is gone (O-05)",
    as: "operator",
    after: [{ get: "/announcements/{news}", as: "operator", holds: { mediaPath: null, mediaName: null } }],
  },
  {
    request: "POST /announcements",
    proves: "a company's admin may not (O-05, E-01)",
    send: { title: "Novidades", text: "Não" },
    status: 403,
    holds: refusal("ERR_NO_PERMISSION"),
  },
  {
    request: "POST /announcements",
    proves: "a title is required, in a sentence (O-05, E-03)",
    as: "operator",
    send: { title: "", text: "Sem título" },
    status: 400,
    holds: refusal("ERR_VALIDATION"),
  },
  {
    request: "DELETE /announcements/{news}",
    proves: "is gone, and told to all (O-05)",
    as: "operator",
    after: [{ get: "/announcements", as: "agent", holds: { records: none({ id: "{news}" }) } }],
    hears: [{ channel: "company-announcement", as: "stranger", holds: { action: "delete", id: "{news}" } }],
  },
];
