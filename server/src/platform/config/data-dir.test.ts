import type { MakeDirectoryOptions } from "node:fs";
import type * as Files from "node:fs/promises";
import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { ConfigError, readConfig } from "./config.ts";
import { prepareDataDir } from "./data-dir.ts";

const chmodFails = vi.hoisted(() => ({ code: "" }));
const mkdirFails = vi.hoisted(() => ({ code: "" }));
vi.mock("node:fs/promises", async (original) => {
  const actual = await original<typeof Files>();
  return {
    ...actual,
    chmod: async (path: string, mode: number) => {
      if (chmodFails.code !== "") {
        throw Object.assign(new Error(chmodFails.code), { code: chmodFails.code });
      }
      await actual.chmod(path, mode);
    },
    mkdir: async (path: string, options: MakeDirectoryOptions) => {
      if (mkdirFails.code !== "") {
        throw Object.assign(new Error(mkdirFails.code), { code: mkdirFails.code });
      }
      return actual.mkdir(path, options);
    },
  };
});
const log = { warn: vi.fn<(...said: unknown[]) => void>() };

const served = { DATABASE_URL: "postgres://h/d" };

async function modeOf(env: Readonly<Record<string, string>>, before?: number, failure = ""): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), "prosa-data-"));
  const umask = process.umask();
  onTestFinished(() => void process.umask(umask));
  onTestFinished(() => rm(parent, { recursive: true }));
  const dataDir = join(parent, "above", "data");
  if (before !== undefined) {
    await mkdir(dataDir, { recursive: true });
    await chmod(dataDir, before);
  }
  chmodFails.code = failure;
  onTestFinished(() => void (chmodFails.code = ""));
  await prepareDataDir(readConfig({ ...env, DATA_DIR: dataDir }), log);
  const { mode } = await stat(dataDir);
  return (mode & 0o7777).toString(8);
}

test("DATA_DIR is its owner's alone, new or old", async () => {
  expect(await modeOf(served)).toBe("700");
  expect(await modeOf(served, 0o755)).toBe("700");
});

test("root lets the user of the embedded database pass through, unless it was closed further", async () => {
  const isRoot = process.getuid?.() === 0;
  expect(await modeOf({})).toBe(isRoot ? "711" : "700");
  expect(await modeOf({}, 0o755)).toBe(isRoot ? "711" : "700");
  expect(await modeOf({}, 0o700)).toBe("700");
});

test("a DATA_DIR that cannot be made is named in words, without a stack trace", async () => {
  const parent = await mkdtemp(join(tmpdir(), "prosa-data-"));
  onTestFinished(() => rm(parent, { recursive: true }));
  const file = join(parent, "file");
  await writeFile(file, "");
  const refusalOf = async (dataDir: string, failure = "") => {
    mkdirFails.code = failure;
    onTestFinished(() => void (mkdirFails.code = ""));
    return prepareDataDir(readConfig({ ...served, DATA_DIR: dataDir }), log).then(
      () => "made",
      (error: unknown) => (error instanceof ConfigError ? error.message : error),
    );
  };
  expect(await refusalOf(file)).toBe(`DATA_DIR: ${file} cannot be made: it is a file`);
  const below = join(file, "above", "data");
  expect(await refusalOf(below)).toBe(`DATA_DIR: ${below} cannot be made: a part of its path is a file`);
  const data = join(parent, "data");
  for (const [code, reason] of [
    ["EACCES", "this user may not write there"],
    ["EPERM", "this user may not write there"],
    ["EROFS", "the disk there is read-only"],
    ["ENOSPC", "the disk there is full"],
  ] as const) {
    expect(await refusalOf(data, code)).toBe(`DATA_DIR: ${data} cannot be made: ${reason}`);
  }
  expect(await refusalOf(data, "EIO")).toMatchObject({ code: "EIO" });
});

test("a folder that all users share is left as it is", async () => {
  expect(await modeOf(served, 0o1777)).toBe("1777");
});

test("a folder of another user is used unchanged, with a warning", async () => {
  for (const code of ["EPERM", "EACCES", "EROFS", "ENOTSUP"]) {
    log.warn.mockClear();
    expect(await modeOf(served, 0o775, code)).toBe("775");
    expect(log.warn).toHaveBeenCalledOnce();
    chmodFails.code = "";
  }
  await expect(modeOf(served, 0o775, "EIO")).rejects.toThrow("EIO");
});

test("where others pass through, folders of files and mails that an earlier release left open are closed", async () => {
  const isRoot = process.getuid?.() === 0;
  const dataDir = await mkdtemp(join(tmpdir(), "prosa-data-"));
  const elsewhere = await mkdtemp(join(tmpdir(), "prosa-elsewhere-"));
  const umask = process.umask();
  onTestFinished(async () => {
    process.umask(umask);
    await Promise.all([dataDir, elsewhere].map((folder) => rm(folder, { recursive: true })));
  });
  await mkdir(join(dataDir, "files"));
  await Promise.all([join(dataDir, "files"), elsewhere].map((folder) => chmod(folder, 0o755)));
  await symlink(elsewhere, join(dataDir, "outbox"));

  await prepareDataDir(readConfig({ DATA_DIR: dataDir }), log);
  const modes = await Promise.all([join(dataDir, "files"), elsewhere].map((folder) => stat(folder)));
  expect(modes.map(({ mode }) => (mode & 0o777).toString(8))).toEqual([isRoot ? "700" : "755", "755"]);
});
