import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import type { ImportColumns } from "@prosa/contract";
import { createContactList } from "../server/src/features/contact-lists/contact-lists.service.ts";
import { latestImportOf, startImport } from "../server/src/features/contact-lists/import/index.ts";
import { systemClock } from "../server/src/platform/clock/index.ts";
import type { Ctx } from "../server/src/platform/ctx.ts";
import { openDatabase } from "../server/src/platform/db/index.ts";
import { openCampaignProduct } from "../server/src/testing/campaign-storm/open-product.ts";
import { makeCompany } from "../server/src/testing/storm/company.ts";
import { cpuOfFamily } from "./cpu.ts";

const rows = 50_000;

/** A spreadsheet of 50,000 contacts into a contact list, from the job that reads it to the last batch. */
export async function measureListImport(url: string, databasePid: number): Promise<[what: string, value: number][]> {
  const folder = await mkdtemp(join(tmpdir(), "prosa-bench-"));
  const log = pino({ level: "fatal" });
  const db = openDatabase({ url, log, max: 2, systemMax: 2 });
  const product = await openCampaignProduct({ databaseUrl: url, folder, clock: systemClock, connectionIds: [] });
  try {
    const { companyId } = await makeCompany(db, `import${Date.now()}`);
    const actor = { kind: "system", companyId, reason: "bench" } as const;
    const inside = <T>(work: (ctx: Ctx) => Promise<T>) =>
      db.inCompany({ actor, companyId, log, clock: systemClock }, work);
    const storageKey = `company/${companyId}/imports/bench`;
    await product.storage.put(storageKey, Buffer.from(aSheet()), { contentType: "text/csv" });
    const listId = await inside(async (ctx) => {
      const { id } = await createContactList(ctx, "Clientes");
      const columns = { headingLine: 1, roles: ["name", "number", "email"] } satisfies ImportColumns;
      await startImport(ctx, id, { fileName: "clientes.csv", storageKey, isBook: false, columns });
      return id;
    });
    const databaseCpu = cpuOfFamily(databasePid);
    const cpu = process.cpuUsage();
    const began = performance.now();
    await product.drain();
    const seconds = (performance.now() - began) / 1_000;
    const { user, system } = process.cpuUsage(cpu);
    const done = await inside((ctx) => latestImportOf(ctx, listId));
    if (done?.state !== "finished" || done.created !== rows) {
      throw new Error(`The import was not measured: ${JSON.stringify(done)}`);
    }
    return [
      ["contact list: items imported/s", rows / seconds],
      ["contact list: CPU ms for 1,000 items", (user + system) / rows],
      ["contact list: database CPU ms for 1,000 items", ((cpuOfFamily(databasePid) - databaseCpu) * 1_000) / rows],
    ];
  } finally {
    await product.close();
    await db.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function aSheet(): string {
  const lines = Array.from({ length: rows }, (_, n) => `Pessoa ${n};55119${80_000_000 + n};pessoa${n}@example.com`);
  return ["nome;telefone;email", ...lines].join("\r\n");
}
