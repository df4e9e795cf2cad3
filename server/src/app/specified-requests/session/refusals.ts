import { refusal, someText } from "../format/kinds.ts";
import { form, plainFile } from "../format/table.ts";
import type { SpecifiedRequest } from "../format/table.ts";

/** Status and body of refusals that no noun owns: behaviour 1. */
export const refusals: readonly SpecifiedRequest[] = [
  {
    request: "GET /nothing-here",
    proves: "an unknown path is not found (E-02)",
    status: 404,
    holds: refusal("ERR_NOT_FOUND"),
  },
  {
    request: "GET /version//",
    proves: "two slashes are no path (E-02)",
    status: 404,
  },
  {
    request: "GET /tickets/abc",
    proves: "an id that is none is a broken rule (E-03)",
    status: 400,
    holds: { error: "ERR_VALIDATION", message: someText, requestId: someText },
  },
  {
    request: "GET /tickets?tags=[1",
    proves: "a broken list is a broken rule, never 500 (E-03)",
    status: 400,
    holds: refusal("ERR_VALIDATION"),
  },
  {
    request: "POST /ticket-notes",
    proves: "a body beyond all measure is too large (E-02)",
    send: { note: "n".repeat(30_000_000), ticketId: 1, contactId: 1 },
    status: 413,
    holds: refusal("ERR_BODY_TOO_LARGE"),
  },
  {
    request: "POST /contacts/import",
    proves: "a picture is no list of contacts (C-03, E-01)",
    send: form(["file", plainFile("contatos.exe", "application/octet-stream", "MZ")]),
    status: 415,
    holds: refusal("ERR_FILE_TYPE"),
  },
  {
    request: "POST /tickets",
    proves: "what a ticket needs and is not there is named in a sentence (E-03)",
    as: "agent",
    send: { contactId: "", queueId: "", status: "open" },
    status: 400,
    holds: refusal("ERR_VALIDATION"),
  },
  {
    request: "POST /tickets",
    proves: "a contact that is not there is not found (E-01)",
    send: { contactId: 2_000_000_000, queueId: "{queue}", status: "open" },
    status: 404,
    holds: refusal("ERR_NO_CONTACT_FOUND"),
  },
  {
    request: "DELETE /companies/{company}",
    proves: "a missing right is 403, and never 401 (A-05, Y-04)",
    status: 403,
    holds: refusal("ERR_NO_PERMISSION"),
  },
];
