import pg from "pg";
import { countStatements } from "#server/platform/db/index.ts";
import { RANDOM_READ } from "./generic-plan.ts";

const INSUFFICIENT_PRIVILEGE = "42501";
/** Class of the errors of constraints. */
const INTEGRITY = "23";

/** What a statement read, and what for. */
export interface Touched {
  readonly text: string;
  /** Rows that the statement returned. */
  readonly returned: number;
  /** Rows that its scans read, those that a filter dropped included, also inside of functions that it calls. */
  readonly read: number;
  /** Pages of tables and indexes that it looked at, each as often as it did. */
  readonly buffers: number;
  /** The plans as JSON: of the functions first, of the statement last. */
  readonly plans: readonly PlanNode[];
}

interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly "Shared Hit Blocks": number;
  readonly "Shared Read Blocks": number;
  readonly Plans?: readonly PlanNode[];
}

/** A company, and the URL of its database as a superuser. */
interface At {
  readonly url: string;
  readonly companyId: number;
}

/**
 * Runs `work`, and its statements once more with their values and generic plans, under the role and the row-level security of the
 * company's requests; returns what each of them touched. Sizes, not times: they are the same on every machine. What they write is
 * rolled back; of those that cannot be repeated (a second row with the same key) nothing is said.
 */
export async function touchedBy(at: At, work: () => Promise<unknown>): Promise<Touched[]> {
  const { statements, values } = await countStatements(work);
  return touchedOf(
    at,
    statements
      .map((text, n) => ({ text, values: values[n] ?? [] }))
      .filter(({ text }) => /^\s*(select|with|insert|update|delete)\b/i.test(text)),
  );
}

/** As `touchedBy`, of statements that are at hand. */
export async function touchedOf(
  { url, companyId }: At,
  statements: readonly { readonly text: string; readonly values: readonly unknown[] }[],
): Promise<Touched[]> {
  const client = new pg.Client({ connectionString: url, options: optionsOf(companyId) });
  const logged: string[] = [];
  client.on("notice", ({ message = "" }) => logged.push(message));
  await client.connect();
  try {
    const touched: Touched[] = [];
    for (const [n, { text, values }] of statements.entries()) {
      await client.query("begin");
      logged.length = 0;
      // Named: an unnamed statement is planned for its values.
      const isUnknown = await client
        .query({ name: `touched_${n}`, text, values: [...values] })
        .then(() => false, isRefused);
      // Within a transaction a statement ends, and is explained, with the next one.
      await client.query("rollback");
      if (!isUnknown) {
        touched.push(touchedIn(text, logged.map(planIn)));
      }
    }
    return touched;
  } finally {
    await client.end();
  }
}

/** Statements of the platform, which the role of requests may not run, and those that a constraint lets run once. */
function isRefused(error: unknown): true {
  if (
    error instanceof pg.DatabaseError &&
    (error.code === INSUFFICIENT_PRIVILEGE || error.code?.startsWith(INTEGRITY))
  ) {
    return true;
  }
  throw error;
}

/** auto_explain, unlike EXPLAIN, takes the values as requests send them and shows statements inside of functions. */
function optionsOf(companyId: number): string {
  const settings = {
    session_preload_libraries: "auto_explain",
    "auto_explain.log_min_duration": 0,
    "auto_explain.log_analyze": "on",
    "auto_explain.log_timing": "off",
    "auto_explain.log_buffers": "on",
    "auto_explain.log_nested_statements": "on",
    "auto_explain.log_format": "json",
    client_min_messages: "log",
    plan_cache_mode: "force_generic_plan",
    random_page_cost: RANDOM_READ,
    jit: "off",
    role: "prosa_app",
    "app.company_id": companyId,
  };
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(" ");
}

function planIn(message: string): PlanNode {
  const { Plan: plan } = JSON.parse(message.slice(message.indexOf("{"))) as { Plan: PlanNode };
  return plan;
}

function touchedIn(text: string, plans: readonly PlanNode[]): Touched {
  const top = plans.at(-1);
  if (!top) {
    throw new Error(`No plan was logged of: ${text}`);
  }
  const scans = plans.flatMap(scansIn);
  return {
    text,
    returned: top["Actual Rows"] * top["Actual Loops"],
    read: Math.round(scans.reduce((sum, scan) => sum + rowsRead(scan), 0)),
    buffers: top["Shared Hit Blocks"] + top["Shared Read Blocks"],
    plans,
  };
}

/** The nodes that read a table or an index; a bitmap's rows are counted where its index is read. */
function scansIn(node: PlanNode): PlanNode[] {
  const below = (node.Plans ?? []).flatMap(scansIn);
  const isScan = node["Relation Name"] !== undefined && node["Node Type"] !== "Bitmap Heap Scan";
  return isScan || node["Node Type"] === "Bitmap Index Scan" ? [node, ...below] : below;
}

function rowsRead(scan: PlanNode): number {
  const dropped = (scan["Rows Removed by Filter"] ?? 0) + (scan["Rows Removed by Index Recheck"] ?? 0);
  return (scan["Actual Rows"] + dropped) * scan["Actual Loops"];
}
