import { byteOrderMark, csvLine } from "@prosa/contract";
import { recordAudit } from "#server/platform/audit/index.ts";
import type { RequestScope } from "#server/platform/http/index.ts";
import { findContactsAfter } from "./export-contacts.queries.ts";

const rowsAtOnce = 1_000;

/** Streams contatos.csv (C-04): name;number;email, by name. Holds one page of rows in memory. */
export async function* exportContacts({
  read,
  inCompany,
}: Pick<RequestScope, "read" | "inCompany">): AsyncGenerator<string> {
  await inCompany((ctx) => recordAudit(ctx, { action: "contacts.exported" }));
  yield byteOrderMark + csvLine(["name", "number", "email"]);
  let after = { searchText: "", id: 0 };
  for (;;) {
    const from = after;
    const page = await read((ctx) => findContactsAfter(ctx, from, rowsAtOnce));
    const last = page.at(-1);
    if (!last) {
      return;
    }
    yield page.map(({ name, number, email }) => csvLine([name, number ?? "", email])).join("");
    after = last;
  }
}
