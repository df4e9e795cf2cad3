import { emailAddress, planFlags } from "@prosa/contract";
import { hashPassword, isLegacyHash } from "#server/platform/auth/index.ts";
import { moveRows } from "../move.ts";
import type { Taken } from "../move.ts";
import { note } from "../report.ts";
import { dayOf, freeName, isTrue, keyOf, numberOf, textOf, timeOf } from "../values.ts";
import { findPlanNames, findCompanyNames, findUsersByEmail } from "../move-in.queries.ts";
import type { CompanyMove, FamilyMove } from "./family-move.ts";
import { savedWeekOf } from "./opening-hours.ts";

const recurrences = ["MENSAL", "BIMESTRAL", "TRIMESTRAL", "SEMESTRAL", "ANUAL"];
const languages = ["pt", "en", "es"];

/** Plans by their names: one of the same name is taken to be the same. */
export async function movePlans(move: FamilyMove): Promise<void> {
  const columns = [
    "id",
    "name",
    "users",
    "connections",
    "queues",
    "value",
    "amount",
    "isPublic",
    ...planFlags,
    "campaignsEnabled",
  ];
  await moveRows(move.machinery, {
    entity: "plans",
    source: move.family.read({ table: "Plans", columns }, null),
    idOf: keyOf,
    async take(rows, tx) {
      const known = await findPlanNames(tx);
      return rows.map((row): Taken => {
        const name = textOf(row["name"], 50).trim() || `Plan ${keyOf(row)}`;
        const same = known.get(name.toLowerCase());
        if (same !== undefined) {
          return { into: same };
        }
        const flags = Object.fromEntries(
          planFlags.flatMap((flag) => (typeof row[flag] === "boolean" ? [[flag, row[flag]]] : [])),
        );
        const campaigns = typeof row["campaignsEnabled"] === "boolean" ? { useCampaigns: row["campaignsEnabled"] } : {};
        return {
          row: {
            name,
            users: limitOf(row["users"]),
            connections: limitOf(row["connections"]),
            queues: limitOf(row["queues"]),
            value: Math.min(Math.max(numberOf(row["value"] ?? row["amount"]) ?? 0, 0), 9_999_999.99),
            flags: { ...flags, ...campaigns },
            is_public: row["isPublic"] !== false,
            created_at: new Date().toISOString(),
          },
        };
      });
    },
  });
}

function limitOf(value: unknown): number {
  return Math.min(Math.max(Math.trunc(numberOf(value) ?? 0), 0), 100_000);
}

/** The companies, or the one that was named. A version that knows no companies is one company. */
export async function moveCompanies(move: FamilyMove, only: number | undefined): Promise<void> {
  const { family, machinery } = move;
  const columns = [
    "id",
    "name",
    "phone",
    "email",
    "status",
    "dueDate",
    "recurrence",
    "schedules",
    "planId",
    "language",
    "createdAt",
  ];
  const source = family.has("Companies")
    ? family.read({ table: "Companies", columns }, null)
    : (async function* () {
        yield [{ id: 1, name: "Whaticket", status: true }];
      })();
  await moveRows(machinery, {
    entity: "companies",
    source: onlyCompany(source, only),
    idOf: keyOf,
    async take(rows, tx) {
      const names = await findCompanyNames(tx);
      return rows.map((row): Taken => {
        const given = textOf(row["name"], 100).trim() || `Company ${keyOf(row)}`;
        const name = freeName(given, names);
        if (name !== given) {
          note(move.report, `the company ${given} is ${name} here: there is another one of that name`);
        }
        const language = textOf(row["language"]).slice(0, 2).toLowerCase();
        const email = emailAddress.safeParse(textOf(row["email"]));
        return {
          row: {
            name,
            email: email.success ? email.data : null,
            phone: textOf(row["phone"], 30),
            plan_id: machinery.ids.of("plans", row["planId"]) ?? null,
            is_active: row["status"] !== false,
            due_date: dayOf(row["dueDate"]),
            recurrence: recurrences.find((each) => each === textOf(row["recurrence"]).toUpperCase()) ?? "MENSAL",
            time_zone: "America/Sao_Paulo",
            language: languages.includes(language) ? language : "pt",
            schedules: savedWeekOf(row["schedules"]),
            created_at: timeOf(row["createdAt"]) ?? new Date().toISOString(),
            billing_name: "",
            address_zip_code: "",
            address_street: "",
            address_district: "",
            address_city: "",
            address_state: "",
            tax_id: "",
          },
        };
      });
    },
  });
}

async function* onlyCompany<Row extends Readonly<Record<string, unknown>>>(
  source: AsyncIterable<readonly Row[]>,
  only: number | undefined,
) {
  for await (const rows of source) {
    yield only === undefined ? rows : rows.filter(({ id }) => Number(id) === only);
  }
}

/** Users keep their passwords: the hash of the family is replaced by ours when they sign in for the first time. */
export async function moveUsers({
  family,
  oldCompanyId,
  companyId,
  machinery,
  ids,
  report,
}: CompanyMove): Promise<void> {
  const columns = ["id", "name", "email", "passwordHash", "profile", "super", "allTicket", "whatsappId", "createdAt"];
  await moveRows(machinery, {
    entity: "users",
    source: family.read({ table: "Users", columns }, oldCompanyId),
    idOf: keyOf,
    async take(rows, tx) {
      const taken = await findUsersByEmail(
        tx,
        rows.map((row) => textOf(row["email"]).trim().toLowerCase()),
      );
      return Promise.all(
        rows.map(async (row): Promise<Taken> => {
          const email = emailAddress.safeParse(textOf(row["email"]));
          if (!email.success) {
            return { skip: "no e-mail address" };
          }
          const owner = taken.get(email.data);
          if (owner) {
            return owner.companyId === companyId ? { into: owner.id } : { skip: "somebody else here has this e-mail" };
          }
          const hash = textOf(row["passwordHash"]);
          if (!isLegacyHash(hash)) {
            note(report, "users whose password cannot be taken over must reset it");
          }
          if (isTrue(row["super"])) {
            note(report, "operators of the other system are administrators of their company here, not operators");
          }
          taken.set(email.data, { id: 0, companyId: 0 });
          return {
            row: {
              company_id: companyId,
              name: textOf(row["name"], 100).trim() || email.data,
              email: email.data,
              password_hash: isLegacyHash(hash) ? hash : await hashPassword(crypto.randomUUID()),
              profile: profileOf(row["profile"]),
              is_super: false,
              all_ticket: textOf(row["allTicket"]) === "enabled" || row["allTicket"] === true,
              connection_id: ids.of("connections", row["whatsappId"]) ?? null,
              preferences: {},
              created_at: timeOf(row["createdAt"]) ?? new Date().toISOString(),
            },
          };
        }),
      );
    },
  });
  // Users are rows of the installation: what refers to them is of the company.
  for await (const rows of family.read({ table: "Users", columns: ["id"] }, oldCompanyId)) {
    for (const row of rows) {
      const id = machinery.ids.of("users", row["id"]);
      if (id !== undefined) {
        ids.add("users", keyOf(row), id);
      }
    }
  }
}

function profileOf(value: unknown): string {
  const profile = textOf(value);
  return profile === "admin" || profile === "super" ? "admin" : profile === "supervisor" ? "supervisor" : "user";
}
