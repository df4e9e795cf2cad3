import { resolve } from "node:path";
import { z } from "zod";
import { allRoles, settings } from "./settings.ts";
import type { Role, TrustProxy } from "./settings.ts";

/** The settings, parsed once. Nothing else reads the environment. */
export interface Config {
  readonly isProduction: boolean;
  readonly isTest: boolean;
  readonly port: number;
  readonly host: string;
  /** Absolute. */
  readonly dataDir: string;
  /** Absent: the embedded database. */
  readonly databaseUrl: string | undefined;
  /** Most connections to the database. */
  readonly pools: { readonly max: number; readonly systemMax: number };
  readonly roles: ReadonlySet<Role>;
  /** Absent: follows the port that was really bound. */
  readonly publicUrl: string | undefined;
  /** URL of the running source code. */
  readonly sourceUrl: string | undefined;
  readonly frontendUrls: readonly string[];
  /** Current key first; empty: the key file of DATA_DIR. */
  readonly secretKeys: readonly string[];
  readonly backup: {
    /** Absent: no nightly backup. */
    readonly dir: string | undefined;
    /** Absent: none in a bucket. */
    readonly bucket: BackupBucketSettings | undefined;
    /** Number of backups. */
    readonly keep: number;
    /** UTC. */
    readonly hour: number;
    readonly passphrase: string | undefined;
  };
  readonly mail: { readonly smtpUrl: string | undefined; readonly from: string };
  /** Absent: local disk. */
  readonly s3: S3Settings | undefined;
  readonly whatsapp: {
    readonly wsUrl: string | undefined;
    readonly version: readonly [number, number, number] | undefined;
    readonly simulator: boolean;
  };
  readonly demo: { readonly seed: boolean; readonly people: boolean };
  /** For `npm run setup` only. */
  readonly operator: {
    readonly company: string;
    readonly email: string | undefined;
    readonly password: string | undefined;
  };
  /** Time for proxies to notice that this process stops. */
  readonly drainMs: number;
  /** For `npm run reset-password` only. */
  readonly newPassword: string | undefined;
  readonly logLevel: string;
  readonly trustProxy: TrustProxy;
  readonly limits: {
    readonly uploadBytes: number;
    readonly bodyBytes: number;
    readonly sessionSockets: number;
    readonly requestSeconds: number;
    readonly connections: { readonly total: number; readonly perAddress: number };
  };
  readonly metricsToken: string | undefined;
  /** Absent endpoint: no traces. */
  readonly tracing: { readonly endpoint: string | undefined; readonly ratio: number };
  /** Whether /docs is served. */
  readonly hasApiDocs: boolean;
  readonly push: { readonly mayBePrivate: boolean };
  /** Admins of companies write the addresses that webhooks and queue integrations call. */
  readonly webhooks: { readonly mayBePrivate: boolean };
  /** Admins of companies write the addresses of their language models. */
  readonly languageModels: { readonly mayBePrivate: boolean };
  /** Of Azure's text to speech, with `{region}`. */
  readonly speechUrl: string;
  /** Of Dialogflow ES, with `{location}`; undefined: Google's. */
  readonly dialogflowUrl: string | undefined;
  readonly hasLinkPreviews: boolean;
}

export interface S3Settings {
  readonly bucket: string;
  readonly endpoint: string | undefined;
  readonly region: string;
  readonly accessKeyId: string | undefined;
  readonly secretAccessKey: string | undefined;
  readonly pathStyle: boolean;
}

export interface BackupBucketSettings extends S3Settings {
  /** What the keys of this installation's backups begin with; ends with a slash. */
  readonly prefix: string;
}

/** An unusable setting, with a message for the operator. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

const environment = z.object(
  Object.fromEntries(Object.entries(settings).map(([name, { schema }]) => [name, schema])) as {
    [Name in keyof typeof settings]: (typeof settings)[Name]["schema"];
  },
);

/** Parses the settings; throws ConfigError with each unusable one and why. An empty value counts as absent. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ""),
  );
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("\n"));
  }

  const set = parsed.data;
  const isProduction = set.NODE_ENV === "production";
  const problems = [...(isProduction ? problemsInProduction(set) : []), ...halfGivenS3(set)];
  if (problems.length > 0) {
    throw new ConfigError(problems.join("\n"));
  }

  return {
    isProduction,
    isTest: set.NODE_ENV === "test",
    port: set.PORT,
    host: set.HOST,
    dataDir: resolve(set.DATA_DIR),
    databaseUrl: set.DATABASE_URL,
    pools: { max: set.DATABASE_CONNECTIONS, systemMax: set.DATABASE_SYSTEM_CONNECTIONS },
    roles: new Set(set.ROLES ?? allRoles),
    publicUrl: set.PUBLIC_URL,
    sourceUrl: set.SOURCE_URL,
    frontendUrls: set.FRONTEND_URLS ?? [],
    secretKeys: set.SECRET_KEY ?? [],
    backup: {
      dir: set.BACKUP_DIR === undefined ? undefined : resolve(set.BACKUP_DIR),
      bucket: backupBucketOf(set),
      keep: set.BACKUP_KEEP,
      hour: set.BACKUP_HOUR,
      passphrase: set.BACKUP_PASSPHRASE,
    },
    mail: { smtpUrl: set.SMTP_URL, from: set.MAIL_FROM },
    s3: s3Of(set),
    whatsapp: {
      wsUrl: set.WHATSAPP_WS_URL,
      version: set.WHATSAPP_VERSION,
      simulator: set.SIMULATOR ?? !isProduction,
    },
    demo: { seed: (set.DEMO ?? true) && !isProduction && set.DATABASE_URL === undefined, people: set.DEMO_PEOPLE },
    operator: { company: set.OPERATOR_COMPANY, email: set.OPERATOR_EMAIL, password: set.OPERATOR_PASSWORD },
    drainMs: set.DRAIN_SECONDS * 1_000,
    newPassword: set.NEW_PASSWORD,
    logLevel: set.LOG_LEVEL,
    trustProxy: set.TRUST_PROXY,
    limits: {
      uploadBytes: set.UPLOAD_MAX_MB * 1024 * 1024,
      bodyBytes: set.BODY_MAX_KB * 1024,
      requestSeconds: set.REQUEST_SECONDS,
      connections: { total: set.MAX_CONNECTIONS, perAddress: set.MAX_CONNECTIONS_PER_ADDRESS },
      sessionSockets: set.SESSION_SOCKETS,
    },
    metricsToken: set.METRICS_TOKEN,
    tracing: { endpoint: set.OTEL_EXPORTER_OTLP_ENDPOINT, ratio: set.OTEL_TRACES_SAMPLER_ARG },
    hasApiDocs: set.API_DOCS ?? !isProduction,
    push: { mayBePrivate: set.PUSH_PRIVATE_HOSTS },
    webhooks: { mayBePrivate: set.WEBHOOK_PRIVATE_HOSTS },
    languageModels: { mayBePrivate: set.LANGUAGE_MODEL_PRIVATE_HOSTS },
    speechUrl: set.AZURE_SPEECH_URL,
    dialogflowUrl: set.DIALOGFLOW_URL,
    hasLinkPreviews: set.LINK_PREVIEWS,
  };
}

type Environment = z.output<typeof environment>;

function problemsInProduction(set: Environment): string[] {
  return [
    set.WHATSAPP_WS_URL !== undefined &&
      "WHATSAPP_WS_URL: refused in production; lines speak to WhatsApp's own servers only",
    set.DATABASE_URL !== undefined &&
      set.SECRET_KEY === undefined &&
      "SECRET_KEY: required in production beside a DATABASE_URL, the same one for every process",
    set.SIMULATOR === true && "SIMULATOR: refused in production; its phones are not real",
    set.DEMO === true && "DEMO: refused in production; `npm run setup` makes the operator",
  ].filter((problem) => problem !== false);
}

function halfGivenS3(set: Environment): string[] {
  const isHalf = (set.S3_ACCESS_KEY_ID === undefined) !== (set.S3_SECRET_ACCESS_KEY === undefined);
  const isHalfOfBackup =
    (set.BACKUP_S3_ACCESS_KEY_ID === undefined) !== (set.BACKUP_S3_SECRET_ACCESS_KEY === undefined);
  return [
    ...(isHalf ? ["S3_ACCESS_KEY_ID: goes together with S3_SECRET_ACCESS_KEY"] : []),
    ...(isHalfOfBackup ? ["BACKUP_S3_ACCESS_KEY_ID: goes together with BACKUP_S3_SECRET_ACCESS_KEY"] : []),
  ];
}

/** What is not set for the bucket of backups is as for that of files; a key goes with its own secret. */
function backupBucketOf(set: Environment): BackupBucketSettings | undefined {
  if (set.BACKUP_BUCKET === undefined) {
    return undefined;
  }
  const hasOwnKey = set.BACKUP_S3_ACCESS_KEY_ID !== undefined;
  return {
    bucket: set.BACKUP_BUCKET,
    prefix: set.BACKUP_PREFIX,
    endpoint: set.BACKUP_S3_ENDPOINT ?? set.S3_ENDPOINT,
    region: set.BACKUP_S3_REGION ?? set.S3_REGION,
    accessKeyId: hasOwnKey ? set.BACKUP_S3_ACCESS_KEY_ID : set.S3_ACCESS_KEY_ID,
    secretAccessKey: hasOwnKey ? set.BACKUP_S3_SECRET_ACCESS_KEY : set.S3_SECRET_ACCESS_KEY,
    pathStyle: set.S3_PATH_STYLE,
  };
}

function s3Of(set: Environment): S3Settings | undefined {
  if (set.S3_BUCKET === undefined) {
    return undefined;
  }
  return {
    bucket: set.S3_BUCKET,
    endpoint: set.S3_ENDPOINT,
    region: set.S3_REGION,
    accessKeyId: set.S3_ACCESS_KEY_ID,
    secretAccessKey: set.S3_SECRET_ACCESS_KEY,
    pathStyle: set.S3_PATH_STYLE,
  };
}
