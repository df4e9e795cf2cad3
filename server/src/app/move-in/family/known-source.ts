import { ConfigError } from "#server/platform/config/index.ts";
import { findFingerprint } from "#server/platform/db/index.ts";
import { findEmails, findMovedCompany, findNumberKeys, findRunsOfUsers } from "../move-in.queries.ts";
import { keyOf, phoneKey, textOf } from "../values.ts";
import { addressOf } from "./contacts.ts";
import type { FamilyMove } from "./family-move.ts";
import type { Family, SourceRow } from "./family.queries.ts";

/** A source is the one of a run, or one that is not known yet; undefined: its fingerprint says which. */
export type GivenSource = number | "new" | undefined;

/** How many contacts are compared at most, and of how many at least one is the same in the same company. */
const [SAMPLE, ENOUGH] = [500, 3];

/**
 * The fingerprint under which a source is known here. One that shares its own with another source, as two that were installed from one
 * image do, has its address in it. Throws ConfigError for a run that did not move a database of the family.
 */
export async function fingerprintOf(
  family: Family,
  { url, name, source }: { readonly url: string; readonly name: string; readonly source: GivenSource },
): Promise<string> {
  const kind = "family";
  if (typeof source === "number") {
    const known = await findFingerprint(url, { kind, runId: source });
    if (known === undefined) {
      throw new ConfigError(`--source: there is no run ${source} of a database of the family`);
    }
    return known;
  }
  const withAddress = `${family.fingerprint} at ${name}`;
  return source === "new"
    ? withAddress
    : ((await findFingerprint(url, { kind, fingerprint: withAddress })) ?? family.fingerprint);
}

/** A company of the source; null where that knows no companies. */
export interface SourceCompany {
  readonly id: number | null;
  readonly name: string;
}

/**
 * Throws ConfigError where the fingerprint seems to err, before anything is written: a source that looks new and has users of a known
 * one would bring every company a second time, and another one that looks known would write into a company that is not its own.
 */
export async function checkSource(
  move: FamilyMove,
  { companies, source }: { readonly companies: readonly SourceCompany[]; readonly source: GivenSource },
): Promise<void> {
  const { ids } = move.machinery;
  if (ids.entries("companies").length === 0) {
    await (source === "new" ? undefined : refuseUsersOfAnother(move, companies));
    return;
  }
  for (const company of companies) {
    const companyId = ids.of("companies", company.id ?? 1);
    if (companyId !== undefined) {
      await refuseAnotherCompany(move, company, companyId);
    }
  }
}

async function refuseUsersOfAnother(
  { family, machinery: { target } }: FamilyMove,
  companies: readonly SourceCompany[],
): Promise<void> {
  const emails: string[] = [];
  for (const { id } of companies) {
    for await (const rows of family.read({ table: "Users", columns: ["email"] }, id)) {
      emails.push(...rows.map(emailOf).filter((email) => email !== ""));
    }
  }
  const [run] = await target.inCompany(null, (tx) => findRunsOfUsers(tx, target.sourceId, emails));
  if (run) {
    throw new ConfigError(
      `--from: it looks like a database that is new here, but ${run.users} of its users came with run ${run.runId} from ${run.source}. ` +
        `Is it that one, whose first company or first user is another now? Add --source ${run.runId}. ` +
        "Is it another one, where the same people work? Add --source new.",
    );
  }
}

/** Contacts tell companies apart best: those of one image share the company's name and its first user. */
async function refuseAnotherCompany(move: FamilyMove, company: SourceCompany, companyId: number): Promise<void> {
  const { target } = move.machinery;
  const known = await target.inCompany(null, (tx) => findMovedCompany(tx, target.sourceId, companyId));
  if (!known) {
    return;
  }
  const contacts = await compareContacts(move, company, companyId);
  if (contacts.same > 0) {
    return;
  }
  const users = await compareUsers(move, company);
  const isNamedSo = nameKey(company.name) === nameKey(known.name);
  const isAnother =
    contacts.compared >= ENOUGH || (contacts.compared + users.compared > 0 && users.same === 0 && !isNamedSo);
  if (isAnother) {
    throw new ConfigError(
      `--from: it looks like the database that run ${known.runId} moved from ${known.source}, but its company ${company.name} is not ` +
        `${known.name}, which that run brought: ${contacts.compared > 0 ? "no contact is" : "no user is"} the same. Two databases that ` +
        "were installed from one copy look alike. Add --source new if it is another one, or --source with a run of its own.",
    );
  }
}

interface Comparison {
  readonly compared: number;
  readonly same: number;
}

async function compareContacts(
  { family, machinery: { target } }: FamilyMove,
  { id }: SourceCompany,
  companyId: number,
): Promise<Comparison> {
  const columns = ["id", "number", "isGroup", "channel", "lid", "remoteJid"];
  const rows = await firstOf(family.read({ table: "Contacts", columns, batch: SAMPLE }, id));
  return target.inCompany(companyId, async (tx) => {
    const moved = await tx.findMoved("contacts", rows.map(keyOf));
    const numbers = await findNumberKeys(tx, companyId, [...moved.values()]);
    return comparisonOf(
      rows.map((row) => {
        const { number } = addressOf(row);
        return [number === null ? undefined : phoneKey(number), numbers.get(moved.get(keyOf(row)) ?? 0)];
      }),
    );
  });
}

async function compareUsers({ family, machinery }: FamilyMove, { id }: SourceCompany): Promise<Comparison> {
  const rows = await firstOf(family.read({ table: "Users", columns: ["id", "email"], batch: SAMPLE }, id));
  const moved = rows.flatMap((row) => machinery.ids.of("users", row["id"]) ?? []);
  const emails = await machinery.target.inCompany(null, (tx) => findEmails(tx, moved));
  return comparisonOf(rows.map((row) => [emailOf(row), emails.get(machinery.ids.of("users", row["id"]) ?? 0)]));
}

async function firstOf(batches: AsyncGenerator<readonly SourceRow[]>): Promise<readonly SourceRow[]> {
  const batch = await batches.next();
  return batch.done ? [] : batch.value;
}

function comparisonOf(pairs: readonly (readonly [string | undefined, string | undefined])[]): Comparison {
  const known = pairs.filter(([there, here]) => there !== undefined && here !== undefined);
  return { compared: known.length, same: known.filter(([there, here]) => there === here).length };
}

function emailOf(row: SourceRow): string {
  return textOf(row["email"]).trim().toLowerCase();
}

/** Without the number that makes a name free here. */
function nameKey(name: string): string {
  return name
    .trim()
    .replace(/ \(\d+\)$/u, "")
    .toLowerCase();
}
