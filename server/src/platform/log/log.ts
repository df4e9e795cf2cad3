import { hostname } from "node:os";
import { pino } from "pino";
import type { DestinationStream, Logger } from "pino";
import { allRoles } from "../config/index.ts";
import type { Role } from "../config/index.ts";
import { prettyLines } from "./pretty.ts";

export type { Logger } from "pino";

/** Fields redacted from log lines, at the top level and two levels down. */
const secretFields = [
  "authorization",
  "cookie",
  "password",
  "passwordHash",
  "token",
  "accessToken",
  "refreshToken",
  "secret",
  "secretKey",
  "apiKey",
  "voiceKey",
  "privateKey",
  "creds",
];

const paths = [
  ...secretFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
  'headers["set-cookie"]',
  '*.headers["set-cookie"]',
];

export interface LogOptions {
  readonly level: string;
  /** Roles of the process: part of every line, like host and pid. */
  readonly roles?: ReadonlySet<Role>;
  /** Default: standard output, one readable line each on a terminal, JSON otherwise. */
  readonly to?: DestinationStream;
}

/** The log of the process: JSON lines without secrets. `error` means that a person must act. */
export function createLog(options: LogOptions): Logger {
  const { roles } = options;
  const destination =
    options.to ?? (process.stdout.isTTY ? prettyLines(process.stdout) : pino.destination({ sync: false }));
  return pino(
    {
      level: options.level,
      base: { host: hostname(), pid: process.pid, ...(roles && { role: roleName(roles) }) },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths, censor: "[hidden]" },
      serializers: { err: pino.stdSerializers.err, error: pino.stdSerializers.err },
    },
    destination,
  );
}

function roleName(roles: ReadonlySet<Role>): string {
  return allRoles.every((role) => roles.has(role)) ? "all" : [...roles].join(",");
}
