import { flag, maybe, none, number, refusal, some, someText, text, time } from "../format/kinds.ts";
import { form, plainFile, png } from "../format/table.ts";
import type { SpecifiedRequest } from "../format/table.ts";

/** Specification 1 and 2, section 3. */
const schedule = {
  id: number,
  body: text,
  contactId: "{contact}",
  contact: { name: "Carla Nunes" },
  userId: maybe(number),
  sendAt: time,
  sentAt: maybe(time),
  status: text,
  mediaPath: maybe(text),
  mediaName: maybe(text),
};

/** Specification 1, section 5: body from 5 letters, contact and time required. */
export const schedules: readonly SpecifiedRequest[] = [
  {
    request: "POST /schedules",
    proves: "a time without zone is the company's, the empty ids none (O-03, E-03)",
    as: "agent",
    send: {
      id: "",
      body: "Seu bolo está pronto",
      contactId: "{contactText}",
      sendAt: "2099-03-01T10:00",
      sentAt: "",
      userId: "{agent}",
      ticketId: "",
      whatsappId: "",
    },
    holds: { id: number, body: "Seu bolo está pronto", contactId: "{contact}" },
    keep: { schedule: "id" },
    after: [
      {
        get: "/schedules/{schedule}",
        as: "agent",
        holds: { ...schedule, sendAt: "2099-03-01T13:00:00.000Z", sentAt: null },
      },
    ],
    hears: [
      {
        channel: "company-{company}-schedule",
        as: "agent",
        holds: { action: "create", record: { id: "{schedule}", contact: { name: "Carla Nunes" } } },
      },
    ],
  },
  {
    request: "POST /schedules",
    proves: "a time with seconds and zone is that time (O-03, E-03)",
    as: "agent",
    send: { body: "Com fuso", contactId: "{contact}", sendAt: "2099-03-01T10:00:00-05:00" },
    keep: { zoned: "id" },
    after: [{ get: "/schedules/{zoned}", as: "agent", holds: { sendAt: "2099-03-01T15:00:00.000Z" } }],
  },
  ...[
    { what: "a body of four letters", field: { body: "Oiii" } },
    { what: "no contact", field: { contactId: "" } },
    { what: "no time", field: { sendAt: "" } },
    { what: "a time that is none", field: { sendAt: "amanhã" } },
  ].map(({ what, field }): SpecifiedRequest => ({
    request: "POST /schedules",
    proves: `${what} is refused in a sentence (O-03, E-03)`,
    as: "agent",
    send: { body: "Seu bolo está pronto", contactId: "{contact}", sendAt: "2099-03-01T10:00", ...field },
    status: 400,
    holds: refusal("ERR_VALIDATION"),
  })),
  {
    request: "GET /schedules/?searchParam=bolo&pageNumber=1",
    proves: "a page that the search found (O-03, T-23)",
    as: "agent",
    holds: { schedules: some({ ...schedule, id: "{schedule}" }), count: number, hasMore: flag },
  },
  {
    request: "POST /schedules/{schedule}/media-upload",
    proves: "a picture (O-03)",
    as: "agent",
    send: form(["file", png("bolo.png")]),
    after: [{ get: "/schedules/{schedule}", as: "agent", holds: { mediaName: "bolo.png", mediaPath: someText } }],
  },
  {
    request: "GET /schedules/{schedule}",
    proves: "the dialog opens (O-03)",
    as: "agent",
    holds: schedule,
    keep: { record: "" },
  },
  {
    request: "PUT /schedules/{schedule}",
    proves: "the record whole, as it was read, goes back; its picture stays (O-03, E-03)",
    as: "agent",
    send: "{record}",
    after: [
      {
        get: "/schedules/{schedule}",
        as: "agent",
        holds: { body: "Seu bolo está pronto", sendAt: "2099-03-01T13:00:00.000Z", mediaName: "bolo.png" },
      },
    ],
  },
  {
    request: "PUT /schedules/{schedule}",
    proves: "another hour is stored and told (O-03, E-03)",
    as: "agent",
    send: {
      id: "{schedule}",
      body: "Seu bolo está pronto!",
      contactId: "{contact}",
      sendAt: "2099-03-01T11:30",
      userId: 0,
    },
    after: [
      {
        get: "/schedules/{schedule}",
        as: "agent",
        holds: { sendAt: "2099-03-01T14:30:00.000Z", contactId: "{contact}" },
      },
    ],
    hears: [
      {
        channel: "company-{company}-schedule",
        as: "agent",
        holds: { action: "update", record: { id: "{schedule}", sendAt: "2099-03-01T14:30:00.000Z" } },
      },
    ],
  },
  {
    request: "DELETE /schedules/{schedule}/media-upload",
    proves: "the picture is gone (O-03)",
    as: "agent",
    after: [{ get: "/schedules/{schedule}", as: "agent", holds: { mediaPath: null, mediaName: null } }],
  },
  {
    request: "POST /schedules/{schedule}/media-upload",
    proves: "a web page is no attachment (O-03, E-01)",
    as: "agent",
    send: form(["file", plainFile("a.html", "text/html", "<script>1</script>")]),
    status: 415,
    holds: refusal("ERR_FILE_TYPE"),
  },
  { request: "DELETE /schedules/{zoned}", proves: "is deleted (O-03)", as: "agent" },
  {
    request: "DELETE /schedules/{schedule}",
    proves: "is gone, and told (O-03)",
    as: "agent",
    after: [{ get: "/schedules", as: "agent", holds: { schedules: none({ id: "{schedule}" }) } }],
    hears: [{ channel: "company-{company}-schedule", as: "agent", holds: { action: "delete", id: "{schedule}" } }],
  },
];
