import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ConfigError } from "#server/platform/config/index.ts";
import type { Config } from "#server/platform/config/index.ts";
import { undoRun } from "#server/platform/db/index.ts";
import { openStorageOf } from "#server/platform/storage/index.ts";
import { moveFamily, reportText } from "../move-in/index.ts";
import type { KindReport } from "../move-in/index.ts";
import { announceMove } from "../rows-moved.ts";
import { readOptions } from "./read-options.ts";
import { runCommand } from "./run-command.ts";
import { printLine } from "./terminal.ts";

const usage = `npm run move-in -- --from postgres://user:password@host:5432/database [--media FOLDER] [--company ID] [--source RUN|new] [--dry-run]
npm run move-in -- --undo [--run NUMBER]`;

/** A line of progress at most this often. */
const everyMs = 5_000;

/**
 * `npm run move-in`: brings a database of the Whaticket family in beside a running server, or says what it would bring. It may be run
 * again after it was interrupted, and later for what is new since; `--undo` removes what the latest run has made.
 */
export async function runMoveIn(args: readonly string[]): Promise<void> {
  const options = optionsOf(args);
  await runCommand({}, async ({ config, db, log, ownerUrl }) => {
    if (options.undo) {
      await undo(config, ownerUrl, options.run);
    } else {
      await move(config, ownerUrl, options);
    }
    if (!options.isDry) {
      await announceMove(db, log);
    }
  });
}

interface Options {
  readonly from: string | undefined;
  readonly media: string | undefined;
  readonly company: number | undefined;
  readonly source: number | "new" | undefined;
  readonly isDry: boolean;
  readonly undo: boolean;
  readonly run: number | undefined;
}

function optionsOf(args: readonly string[]): Options {
  const { values } = readOptions(args, usage, {
    options: {
      from: { type: "string" },
      media: { type: "string" },
      company: { type: "string" },
      source: { type: "string" },
      "dry-run": { type: "boolean", default: false },
      undo: { type: "boolean", default: false },
      run: { type: "string" },
    },
  });
  const { from, media, undo, "dry-run": isDry } = values;
  // An option that would be passed over in silence: a dry run of an undo would be no dry run.
  const foreign = undo ? (["dry-run", "from", "media", "company", "source"] as const) : (["run"] as const);
  for (const name of foreign.filter((each) => values[each] !== undefined && values[each] !== false)) {
    throw new ConfigError(`--${name}: not ${undo ? "with" : "without"} --undo\n${usage}`);
  }
  if (from === undefined && !undo) {
    throw new ConfigError(`Which database?\n${usage}`);
  }
  const source = values.source === "new" ? "new" : idOf("--source", values.source);
  return {
    ...{ from, media, source, isDry, undo },
    ...{ company: idOf("--company", values.company), run: idOf("--run", values.run) },
  };
}

function idOf(name: string, text: string | undefined): number | undefined {
  if (text !== undefined && !/^[1-9]\d{0,9}$/u.test(text)) {
    throw new ConfigError(`${name}: a number\n${usage}`);
  }
  return text === undefined ? undefined : Number(text);
}

async function move(config: Config, ownerUrl: string, options: Options): Promise<void> {
  const { from = "", media, company, source, isDry } = options;
  const storage = await openStorageOf(config);
  const began = Date.now();
  try {
    const { report, runId } = await moveFamily({
      from,
      url: ownerUrl,
      storage,
      mediaFolder: media,
      company,
      source,
      isDry,
      onProgress: createProgress(),
    });
    const text = reportText(report);
    printLine(text);
    if (isDry) {
      printLine("Nothing was written: this was a dry run.");
      return;
    }
    const file = resolve(join(config.dataDir, `move-in-${runId}.txt`));
    await writeFile(file, text, { mode: 0o600 });
    printLine(
      `Moved in ${((Date.now() - began) / 60_000).toFixed(1)} minutes as run ${runId}. The report is in ${file}.`,
    );
    if (media === undefined) {
      printLine("No files were taken. Run it again with --media: only messages that are new then get theirs.");
    }
  } finally {
    await storage.close();
  }
}

async function undo(config: Config, ownerUrl: string, run: number | undefined): Promise<void> {
  const storage = await openStorageOf(config);
  try {
    const { runId, source, tables } = await undoRun(ownerUrl, run, storage);
    printLine(`Run ${runId} from ${source} is undone.`);
    for (const { table, removed, kept } of tables) {
      const stay = kept === 0 ? "" : `, ${kept} kept, used or changed since`;
      printLine(`  ${table.padEnd(20)} ${removed} removed${stay}`);
    }
  } finally {
    await storage.close();
  }
}

function createProgress(): (kind: KindReport) => void {
  let last = Date.now();
  return ({ kind, read }) => {
    if (Date.now() - last > everyMs) {
      last = Date.now();
      printLine(`${kind}: ${read}`);
    }
  };
}
