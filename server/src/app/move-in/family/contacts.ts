import { findConnections, findContactsByNumber } from "../move-in.queries.ts";
import { moveRows } from "../move.ts";
import type { Taken } from "../move.ts";
import { note } from "../report.ts";
import { isTrue, keyOf, phoneKey, phoneOf, textOf, timeOf } from "../values.ts";
import type { CompanyMove } from "./family-move.ts";
import type { SourceRow } from "./family.queries.ts";

/**
 * Contacts, one for each person as the product tells people apart (W-10): a number with and without Brazil's ninth digit is one, and a
 * LID is the contact whose number it belongs to.
 */
export async function moveContacts(move: CompanyMove): Promise<void> {
  const { companyId, family, oldCompanyId, ids, groups, report } = move;
  const ownerOfLid = await readLids(move);
  const byLid = new Map<string, number>();
  const columns = ["id", "name", "number", "email", "isGroup", "channel", "lid", "remoteJid", "createdAt", "updatedAt"];
  const identifiers: { readonly contactId: number; readonly lid: string }[] = [];
  let extra: Awaited<ReturnType<typeof readExtraInfo>> = new Map();
  await moveRows(move, {
    entity: "contacts",
    // Those with a number first: a LID alone joins one of them.
    source: family.read({ table: "Contacts", columns, order: `(t.number like '%@lid'), t.id` }, oldCompanyId),
    idOf: keyOf,
    async prepare(rows) {
      extra = await readExtraInfo(move, rows);
    },
    async take(rows, tx, reserve) {
      const addresses = rows.map(addressOf);
      const keys = addresses.flatMap(({ number }) => (number === null ? [] : [phoneKey(number)]));
      const byNumber = await findContactsByNumber(tx, companyId, keys);
      const reserved = await reserve();
      return rows.map((row, index): Taken => {
        const { number, isGroup } = addresses[index]!;
        const lid = addresses[index]!.lid ?? ownerOfLid.lidOf.get(keyOf(row)) ?? null;
        const known =
          (number === null ? undefined : byNumber.get(phoneKey(number))) ??
          (lid === null ? undefined : (byLid.get(lid) ?? ids.of("contacts", ownerOfLid.contactOf.get(lid))));
        const id = known ?? reserved[index] ?? 0;
        if (isGroup) {
          groups.add(id);
        }
        if (number !== null) {
          byNumber.set(phoneKey(number), id);
        }
        if (lid !== null && !byLid.has(lid)) {
          byLid.set(lid, id);
          identifiers.push({ contactId: id, lid });
        }
        if (known !== undefined) {
          return { into: known };
        }
        if (number === null && lid === null) {
          note(report, "contacts without a usable number keep their conversations, but cannot be written to");
        }
        const name = textOf(row["name"], 200).trim();
        return {
          row: {
            company_id: companyId,
            name: name || number || "Contato",
            number,
            email: textOf(row["email"], 200).trim(),
            is_group: isGroup,
            // A name that is not the number was given by somebody, or by the person: the push name replaces it no more.
            is_named: name !== "" && name.replaceAll(/\D/gu, "") !== number,
            extra_info: extra.get(keyOf(row)) ?? [],
            created_at: timeOf(row["createdAt"]) ?? new Date().toISOString(),
            updated_at: timeOf(row["updatedAt"]) ?? new Date().toISOString(),
          },
        };
      });
    },
    // A LID belongs to a line, and all lines of a company see a person under the same one.
    async after(tx) {
      const rows = identifiers.splice(0);
      const connections = await findConnections(tx, companyId);
      const found = rows.flatMap(({ contactId, lid }) =>
        connections.map(({ id }) => ({
          company_id: companyId,
          connection_id: id,
          kind: "lid",
          value: lid,
          contact_id: contactId,
        })),
      );
      await tx.insert("contact_identifiers", found, { key: ["connection_id", "kind", "value"] });
    },
  });
}

interface Address {
  readonly number: string | null;
  readonly lid: string | null;
  readonly isGroup: boolean;
}

/** By what WhatsApp knows a contact. Pure. */
export function addressOf(row: SourceRow): Address {
  const given = textOf(row["number"]).trim();
  const isGroup = isTrue(row["isGroup"]) || given.endsWith("@g.us");
  const channel = textOf(row["channel"]);
  if (isGroup) {
    const group = given.replace(/@g\.us$/u, "");
    return { number: /^[\d-]{5,40}$/u.test(group) ? group : null, lid: null, isGroup };
  }
  const lid = [given, textOf(row["lid"]), textOf(row["remoteJid"])].map(
    (text) => /^(\d+)(?::\d+)?@lid$/u.exec(text)?.[1],
  );
  const bare = /^\d{10,20}$/u.exec(textOf(row["lid"]))?.[0];
  const isElsewhere = channel !== "" && channel !== "whatsapp";
  return {
    number: given.endsWith("@lid") || isElsewhere ? null : (phoneOf(given) ?? null),
    lid: lid.find((each) => each !== undefined) ?? bare ?? null,
    isGroup,
  };
}

/** The table that some versions keep of LIDs: whose they are. */
async function readLids({ family, oldCompanyId }: CompanyMove) {
  const contactOf = new Map<string, string>();
  const lidOf = new Map<string, string>();
  for await (const rows of family.read(
    { table: "WhatsappLidMaps", columns: ["id", "lid", "contactId"] },
    oldCompanyId,
  )) {
    for (const row of rows) {
      const lid = textOf(row["lid"]).replace(/(?::\d+)?@lid$/u, "");
      contactOf.set(lid, String(row["contactId"]));
      lidOf.set(String(row["contactId"]), lid);
    }
  }
  return { contactOf, lidOf };
}

/** The own fields of these contacts, by contact. */
async function readExtraInfo({ family }: CompanyMove, contacts: readonly SourceRow[]) {
  const rows = await family.readOf(
    "ContactCustomFields",
    ["id", "name", "value", "contactId"],
    "contactId",
    contacts.map(({ id }) => id),
  );
  const byContact = new Map<string, { name: string; value: string }[]>();
  for (const row of rows) {
    const [name, value] = [textOf(row["name"], 100).trim(), textOf(row["value"], 500).trim()];
    if (name !== "" && value !== "") {
      const key = String(row["contactId"]);
      byContact.set(key, [...(byContact.get(key) ?? []), { name, value }]);
    }
  }
  return byContact;
}
