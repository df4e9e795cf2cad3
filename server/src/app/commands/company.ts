import { stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { ConfigError, requireWritable } from "#server/platform/config/index.ts";
import { openStorageOf } from "#server/platform/storage/index.ts";
import type { Storage } from "#server/platform/storage/index.ts";
import { exportCompany, importCompany, reportText } from "../move-in/index.ts";
import { announceMove } from "../rows-moved.ts";
import type { OpenInfrastructure } from "../startup/index.ts";
import { readOptions } from "./read-options.ts";
import { runCommand } from "./run-command.ts";
import { printLine } from "./terminal.ts";

const usage = `npm run company -- export ID FILE.tar.zst
npm run company -- import FILE.tar.zst [--dry-run]
With BACKUP_PASSPHRASE the archive is encrypted, and its name ends in .age.`;

/**
 * `npm run company -- export ID FILE` and `import FILE`: a company as one archive, which another installation takes in. Throws ConfigError
 * with the usage for any other words, before anything is opened.
 */
export async function runCompany(args: readonly string[]): Promise<void> {
  const order = orderOf(args);
  await runCommand({}, async (infrastructure) => {
    const storage = await openStorageOf(infrastructure.config);
    try {
      await (order.verb === "export"
        ? exportTo(order, infrastructure, storage)
        : importFrom(order, infrastructure, storage));
    } finally {
      await storage.close();
    }
  });
}

type Export = { readonly verb: "export"; readonly companyId: number; readonly given: string };
type Import = { readonly verb: "import"; readonly given: string; readonly isDry: boolean };

function orderOf(args: readonly string[]): Export | Import {
  const { values, positionals } = readOptions(args, usage, {
    allowPositionals: true,
    options: { "dry-run": { type: "boolean", default: false } },
  });
  const isDry = values["dry-run"];
  const [verb, ...rest] = positionals;
  const [first = "", second = ""] = rest;
  if (verb === "export" && /^[1-9]\d{0,8}$/u.test(first) && second !== "" && rest.length === 2) {
    if (isDry) {
      throw new ConfigError(`--dry-run: not with export\n${usage}`);
    }
    return { verb, companyId: Number(first), given: second };
  }
  if (verb === "import" && first !== "" && rest.length === 1) {
    return { verb, given: first, isDry };
  }
  throw new ConfigError(`Which company, or which archive?\n${usage}`);
}

async function exportTo(
  { companyId, given }: Export,
  { config, db }: OpenInfrastructure,
  storage: Storage,
): Promise<void> {
  const { passphrase } = config.backup;
  const ending = passphrase === undefined || given.endsWith(".age") ? "" : ".age";
  const file = resolve(`${given}${ending}`);
  await refuseFolder(resolve(given));
  await refuseFolder(file);
  await requireWritable("Folder of the archive", dirname(file));
  const { rows, files } = await exportCompany({ db, storage, companyId, file, passphrase });
  printLine(`${file}: ${rows} rows and ${files} files.`);
  if (passphrase === undefined) {
    printLine(
      "It is not encrypted and has no passwords: its users reset theirs. Keep it like the conversations in it.",
    );
  }
}

async function importFrom(
  { given, isDry }: Import,
  infrastructure: OpenInfrastructure,
  storage: Storage,
): Promise<void> {
  const { config, db, log, ownerUrl: url } = infrastructure;
  const file = resolve(given);
  await refuseFolder(file);
  const { report, runId, files } = await importCompany({
    ...{ url, storage, file, passphrase: config.backup.passphrase, isDry },
    onProgress: () => undefined,
  });
  if (!isDry) {
    await announceMove(db, log);
  }
  printLine(reportText(report));
  printLine(isDry ? "Nothing was written: this was a dry run." : `Brought in as run ${runId}, with ${files} files.`);
}

/** Throws ConfigError where the archive's name is a folder's. */
async function refuseFolder(file: string): Promise<void> {
  if ((await stat(file).catch(() => undefined))?.isDirectory()) {
    throw new ConfigError(`${file}: is a folder. Name the archive in it.\n${usage}`);
  }
}
