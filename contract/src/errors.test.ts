import { expect, test } from "vitest";
import { errorStatus } from "./errors.ts";

/** Specification 1, section 8, and specification 2, section 8. */
const catalogue = [
  "ERR_NO_OTHER_WHATSAPP",
  "ERR_WAPP_INVALID_CONTACT",
  "ERR_FETCH_WAPP_MSG",
  "ERR_WAPP_GREETING_REQUIRED",
  "ERR_QUEUE_COLOR_ALREADY_EXISTS",
  "ERR_OTHER_OPEN_TICKET",
  "ERR_DUPLICATED_CONTACT",
  "ERR_USER_CREATION_DISABLED",
  "ERR_NO_PERMISSION",
  "ERR_SESSION_EXPIRED",
  "ERR_INVALID_CREDENTIALS",
  "ERR_NO_DEF_WAPP_FOUND",
  "ERR_WAPP_NOT_INITIALIZED",
  "ERR_WAPP_CHECK_CONTACT",
  "ERR_WAPP_DOWNLOAD_MEDIA",
  "ERR_SENDING_WAPP_MSG",
  "ERR_DELETE_WAPP_MSG",
  "ERR_NO_SETTING_FOUND",
  "ERR_NO_CONTACT_FOUND",
  "ERR_NO_TICKET_FOUND",
  "ERR_NO_USER_FOUND",
  "ERR_NO_WAPP_FOUND",
  "ERR_CREATING_MESSAGE",
  "ERR_CREATING_TICKET",
];

test("the whole error catalogue of the specification is in the contract (E-01)", () => {
  expect(catalogue.filter((code) => !Object.hasOwn(errorStatus, code))).toEqual([]);
});

test("401 is for nobody signed in alone, a missing row is 404, and 422 is never said (E-01)", () => {
  const codesOf = (status: number) =>
    Object.entries(errorStatus).flatMap(([code, of]) => (of === status ? [code] : []));
  expect(codesOf(401)).toEqual(["ERR_INVALID_CREDENTIALS", "ERR_NOT_SIGNED_IN"]);
  expect(codesOf(404)).toEqual(codesOf(404).filter((code) => /^ERR_(NO_\w+|NOT)_FOUND$/u.test(code)));
  expect(codesOf(422)).toEqual([]);
});
