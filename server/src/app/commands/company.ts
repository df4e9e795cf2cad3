import { resolve } from "node:path";
import { ConfigError } from "#server/platform/config/index.ts";
import { openStorageOf } from "#server/platform/storage/index.ts";
import { exportCompany, importCompany, reportText } from "../move-in/index.ts";
import { announceMove } from "../rows-moved.ts";
import { runCommand } from "./run-command.ts";
import { printLine } from "./terminal.ts";

const usage = `npm run company -- export ID FILE.tar.zst
npm run company -- import FILE.tar.zst [--dry-run]
With BACKUP_PASSPHRASE the archive is encrypted, and its name ends in .age.`;

/** `npm run company -- export ID FILE` and `import FILE`: a company as one archive, which another installation takes in. */
export async function runCompany(args: readonly string[]): Promise<void> {
  const isDry = args.includes("--dry-run");
  const [verb, ...rest] = args.filter((word) => word !== "--dry-run");
  await runCommand({}, async ({ config, db, log, ownerUrl: url }) => {
    const storage = await openStorageOf(config);
    const { passphrase } = config.backup;
    try {
      const [first = "", second = ""] = rest;
      if (verb === "export" && /^[1-9]\d{0,9}$/u.test(first) && second !== "" && rest.length === 2) {
        const ending = passphrase === undefined || second.endsWith(".age") ? "" : ".age";
        const file = resolve(`${second}${ending}`);
        const { rows, files } = await exportCompany({ db, storage, companyId: Number(first), file, passphrase });
        printLine(`${file}: ${rows} rows and ${files} files.`);
        if (passphrase === undefined) {
          printLine(
            "It is not encrypted and has no passwords: its users reset theirs. Keep it like the conversations in it.",
          );
        }
      } else if (verb === "import" && first !== "" && rest.length === 1) {
        const { report, runId, files } = await importCompany({
          ...{ url, storage, file: resolve(first), passphrase, isDry },
          onProgress: () => undefined,
        });
        if (!isDry) {
          await announceMove(db, log);
        }
        printLine(reportText(report));
        printLine(
          isDry ? "Nothing was written: this was a dry run." : `Brought in as run ${runId}, with ${files} files.`,
        );
      } else {
        throw new ConfigError(usage);
      }
    } finally {
      await storage.close();
    }
  });
}
