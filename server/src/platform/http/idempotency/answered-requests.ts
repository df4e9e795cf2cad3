import { sql } from "kysely";
import type { SealedColumn, SealedRow } from "../../auth/index.ts";
import type { RawQuery, Statement, SystemTx } from "../../db/index.ts";
import type { Cron } from "../../jobs/index.ts";
import type { KeyedRequest } from "./keyed-request.ts";

interface StoredAnswer {
  readonly route: string;
  /** Sealed, behind the digest of the request's content; stored before the commit of the request. */
  readonly answer: Buffer;
}

// Waits for the end of another transaction that claims the same key: if that is rolled back, this one has the key.
const CLAIM: Statement<{ key: string }> = {
  name: "answered_requests_claim",
  text: `insert into answered_requests (company_id, caller, key, route) values ($1, $2, $3, $4)
    on conflict (company_id, caller, key) do nothing returning key`,
};

const STORE: Statement<never> = {
  name: "answered_requests_store",
  text: `update answered_requests set answer = $4 where company_id = $1 and caller = $2 and key = $3`,
};

const FIND: Statement<StoredAnswer> = {
  name: "answered_requests_find",
  text: `select route, answer from answered_requests where company_id = $1 and caller = $2 and key = $3`,
};

/** False: a request under this key is answered already. */
export async function claimKey(raw: RawQuery, { companyId, caller, key, route }: KeyedRequest): Promise<boolean> {
  return (await raw(CLAIM, [companyId, caller, key, route])).length > 0;
}

/** Stores the sealed answer of a request that has claimed its key. */
export async function storeAnswer(raw: RawQuery, { companyId, caller, key }: KeyedRequest, answer: Buffer) {
  await raw(STORE, [companyId, caller, key, answer]);
}

export async function findAnswer(
  raw: RawQuery,
  { companyId, caller, key }: KeyedRequest,
): Promise<StoredAnswer | undefined> {
  const [row] = await raw(FIND, [companyId, caller, key]);
  return row;
}

/** The vault's context of an answer. */
export function answerContext({ companyId, caller, key }: Pick<KeyedRequest, "companyId" | "caller" | "key">): string {
  return `answered-request:${companyId}:${caller}:${key}`;
}

/** So that answers can be opened after a rotation of SECRET_KEY. */
export const sealedAnswers: SealedColumn = {
  table: "answered_requests",
  column: "answer",
  key: ["company_id", "caller", "key"],
  contextOf: (row: SealedRow) =>
    answerContext({
      companyId: Number(row["company_id"]),
      caller: String(row["caller"]),
      key: String(row["key"]),
    }),
};

/** Deletes answers of more than a day: no client sends a request again so late. */
export const pruneAnswers: Cron = {
  name: "answered-requests.prune",
  everySeconds: 3_600,
  run: async ({ db }) => {
    await sql`delete from answered_requests where created_at < now() - interval '1 day'`.execute(db.system);
  },
};

/** Deletes a company's answers when a person is erased: being sealed, they cannot be searched for what is said of that person. */
export async function forgetAnswers(tx: SystemTx, companyId: number): Promise<void> {
  await sql`delete from answered_requests where company_id = ${companyId}`.execute(tx.db);
}
