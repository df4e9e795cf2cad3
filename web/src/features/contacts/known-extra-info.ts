import type { Contact } from "@prosa/contract/contacts";
import { knownRows, type ReadRows } from "#web/lib/records/known-rows.ts";

type ExtraInfo = Contact["extraInfo"];

/** Pure: what a form that saves `wanted` tells the server to know of the extra information (`knownExtraInfo`). */
export function knownExtraInfo(wanted: ExtraInfo, read: ReadRows<ExtraInfo[number]>): ExtraInfo {
  // a piece with another value is another piece
  const keyOf = ({ name, value }: ExtraInfo[number]) => JSON.stringify([name.trim(), value.trim()]);
  return knownRows(wanted, read, { keyOf, valueOf: keyOf });
}
