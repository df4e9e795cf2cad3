import { isIP } from "node:net";
import { z } from "zod";

/**
 * Every setting of the process, its default and its meaning: the one documented place.
 * `docs/operations.md` carries the table made from it (`node server/src/platform/config/write-docs.ts`).
 */
export interface Setting<T extends z.ZodType = z.ZodType> {
  readonly schema: T;
  /** In words where it is computed; shown in the docs. */
  readonly byDefault: string;
  readonly meaning: string;
}

function setting<T extends z.ZodType>(schema: T, byDefault: string, meaning: string): Setting<T> {
  return { schema, byDefault, meaning };
}

export const allRoles = ["http", "realtime", "worker", "lines"] as const;
export type Role = (typeof allRoles)[number];

const onOff = z
  .enum(["on", "off", "true", "false", "1", "0"], { error: "must be on or off" })
  .transform((text) => text === "on" || text === "true" || text === "1");

const commaList = z.string().transform((text) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== ""),
);

const roleList = commaList.pipe(
  z.array(z.enum(allRoles, { error: `must be some of ${allRoles.join(",")}` })).min(1, "names no role"),
);

const httpAddress = z
  .url({ protocol: /^https?$/, error: "must be an http or https address" })
  .transform((text) => text.replace(/\/+$/, ""));

function within(min: number, max: number) {
  const range = `must be from ${min} to ${max}`;
  return z.coerce.number({ error: "must be a number" }).min(min, range).max(max, range);
}

const whole = (min: number, max: number) => within(min, max).int("must be a whole number");

const addressOf = (...schemes: string[]) =>
  z.string().refine((text) => URL.canParse(text) && schemes.includes(new URL(text).protocol), {
    error: ({ input }) =>
      schemes.some((scheme) => String(input).startsWith(`${scheme}//`))
        ? "is not an address; in a password / ? # and % must be percent-encoded: %2F %3F %23 %25"
        : `must be an address that starts with ${schemes.map((scheme) => `${scheme}//`).join(" or ")}`,
  });

/** trustProxy of Fastify: none, the nearest n hops, or these addresses. Never all, or clients could forge their address. */
export type TrustProxy = false | string | ((address: string, hop: number) => boolean);

/** Accepts what proxy-addr accepts: an address, a network, or one of its names for several networks. */
function isTrustable(text: string): boolean {
  const [address = "", bits, ...more] = text.split("/");
  const widest = isIP(address) === 6 ? 128 : 32;
  const isNetwork = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= widest);
  return (isIP(address) !== 0 && isNetwork && more.length === 0) || /^(loopback|linklocal|uniquelocal)$/.test(text);
}

const trust = z
  .string()
  .trim()
  .refine(
    (text) => /^(on|off|true|false|[1-9]\d?)$/.test(text) || text.split(",").every((item) => isTrustable(item.trim())),
    { error: "must be on, off, the number of proxies (1 to 99), or their addresses: 10.0.0.1,192.168.0.0/16,loopback" },
  )
  .transform(readTrust);

function readTrust(text: string): TrustProxy {
  const hops = text === "on" || text === "true" ? 1 : Number(text);
  if (!Number.isNaN(hops)) {
    return (_address, hop) => hop < hops;
  }
  return text !== "off" && text !== "false" && text;
}

export const settings = {
  NODE_ENV: setting(
    z.enum(["development", "production", "test"]).default("development"),
    "development",
    "`production` turns off the demo, the simulator and `WHATSAPP_WS_URL`, and requires `SECRET_KEY` where `DATABASE_URL` is set.",
  ),
  PORT: setting(whole(0, 65_535).default(8080), "8080", "Port of API, socket and web app. 0 takes a free one."),
  HOST: setting(z.string().default("0.0.0.0"), "0.0.0.0", "Address to listen on."),
  DATA_DIR: setting(
    z.string().min(1).default("./data"),
    "./data",
    "Embedded database, files, secret key and mail outbox.",
  ),
  DATABASE_URL: setting(
    addressOf("postgres:", "postgresql:").optional(),
    "embedded database in DATA_DIR",
    "A PostgreSQL server, 15 or newer: `postgres://user:password@host:5432/prosa`.",
  ),
  DATABASE_CONNECTIONS: setting(
    whole(2, 500).default(10),
    "10",
    "Database connections for requests and jobs of this process. See How many connections.",
  ),
  DATABASE_SYSTEM_CONNECTIONS: setting(
    whole(2, 100).default(4),
    "4",
    "Database connections of the system role of this process: event log, job queue, leases, sign-ins.",
  ),
  ROLES: setting(
    roleList.optional(),
    "http,realtime,worker,lines",
    "What this process does. Several processes may share one DATABASE_URL.",
  ),
  PUBLIC_URL: setting(
    httpAddress.optional(),
    "http://localhost:PORT",
    "The address that people open. Links in mails and media addresses begin with it, also those for other clients of the API; it decides whether cookies are Secure.",
  ),
  FRONTEND_URLS: setting(
    commaList.pipe(z.array(httpAddress)).optional(),
    "none besides PUBLIC_URL",
    "Other origins whose pages may call the API with credentials (CORS), comma-separated.",
  ),
  SOURCE_URL: setting(
    httpAddress.optional(),
    "none: users are told to ask",
    "Where the source code of this installation is. The licence requires to show it to users; set your own address if you changed the code.",
  ),
  SECRET_KEY: setting(
    commaList.pipe(z.array(z.string().min(32, "each key needs at least 32 characters")).min(1)).optional(),
    "made once, in DATA_DIR/secret.key",
    "Signs sessions and media links, encrypts keys and credentials. To rotate, set a comma-separated list: the first key encrypts, all decrypt. See Changing the secret.",
  ),
  BACKUP_DIR: setting(
    z.string().min(1).optional(),
    "none: no nightly backup",
    "Folder for a backup each night, by one of the processes that are workers; on another disk than DATA_DIR. See Backup and restore.",
  ),
  BACKUP_BUCKET: setting(
    z.string().min(1).optional(),
    "none: no backup in a bucket",
    "Bucket for a backup each night, besides or in place of BACKUP_DIR, under BACKUP_PREFIX. It may be S3_BUCKET, better one of another account. See Backup and restore.",
  ),
  BACKUP_PREFIX: setting(
    z
      .string()
      .regex(/^(?!company\/)[\w.-]+\/(?:[\w.-]+\/)*$/u, "must be a folder such as a/b/, and not company/")
      .default("prosa-backups/"),
    "prosa-backups/",
    "Folder of the backups in BACKUP_BUCKET; each installation that shares a bucket needs its own.",
  ),
  BACKUP_S3_ENDPOINT: setting(httpAddress.optional(), "that of S3_ENDPOINT", "Address of the server of BACKUP_BUCKET."),
  BACKUP_S3_REGION: setting(z.string().optional(), "that of S3_REGION", "Region of BACKUP_BUCKET."),
  BACKUP_S3_ACCESS_KEY_ID: setting(z.string().optional(), "that of S3_ACCESS_KEY_ID", "Key of BACKUP_BUCKET."),
  BACKUP_S3_SECRET_ACCESS_KEY: setting(
    z.string().optional(),
    "that of S3_SECRET_ACCESS_KEY",
    "Secret of BACKUP_S3_ACCESS_KEY_ID.",
  ),
  BACKUP_KEEP: setting(
    whole(1, 1_000).default(7),
    "7",
    "How many backups stay in BACKUP_DIR, and in BACKUP_BUCKET; older ones are deleted.",
  ),
  BACKUP_HOUR: setting(whole(0, 23).default(4), "4", "Hour of the nightly backup, UTC."),
  BACKUP_PASSPHRASE: setting(
    z.string().min(8, "must have at least 8 characters").optional(),
    "none: backups are not encrypted",
    "Encrypts backups (age), which then carry the secret key too; opens them in a restore.",
  ),
  SMTP_URL: setting(
    addressOf("smtp:", "smtps:").optional(),
    "none: mails are files in DATA_DIR/outbox",
    "`smtps://user:password@host:465`.",
  ),
  MAIL_FROM: setting(
    z.string().default("Prosa <prosa@localhost>"),
    "`Prosa <prosa@localhost>`",
    "Sender of every mail.",
  ),
  S3_BUCKET: setting(z.string().min(1).optional(), "none: files in DATA_DIR/files", "Stores files in this bucket."),
  S3_ENDPOINT: setting(
    httpAddress.optional(),
    "Amazon's",
    "Address of another S3-compatible server (MinIO, R2, Ceph).",
  ),
  S3_REGION: setting(z.string().default("us-east-1"), "us-east-1", "Region of the bucket."),
  S3_ACCESS_KEY_ID: setting(z.string().optional(), "the machine's own credentials", "Key of the bucket."),
  S3_SECRET_ACCESS_KEY: setting(z.string().optional(), "the machine's own credentials", "Secret of that key."),
  S3_PATH_STYLE: setting(
    onOff.default(false),
    "off",
    "Puts the bucket's name into the path instead of the host name (MinIO).",
  ),
  WHATSAPP_WS_URL: setting(
    addressOf("ws:", "wss:").optional(),
    "WhatsApp's own",
    "Connects lines of provider `beta` to another server of the protocol. Refused in production.",
  ),
  WHATSAPP_VERSION: setting(
    z
      .string()
      .regex(/^\d+\.\d+\.\d+$/, "must look like 2.3000.1023223821")
      .transform((text) => text.split(".").map(Number) as [number, number, number])
      .optional(),
    "the one the library carries",
    "WhatsApp Web version that lines announce: three numbers with dots.",
  ),
  SIMULATOR: setting(
    onOff.optional(),
    "on outside production",
    "Provider `simulator`: a local WhatsApp network with phones in the browser. Refused in production.",
  ),
  DEMO: setting(
    onOff.optional(),
    "on outside production",
    "Fills an empty embedded database with the demo company. Never in production.",
  ),
  DEMO_PEOPLE: setting(
    onOff.default(true),
    "on",
    "Simulated customers of the demo write and answer now and then. `off` turns them off at each start.",
  ),
  OPERATOR_EMAIL: setting(
    z.string().trim().toLowerCase().pipe(z.email("must be an e-mail address")).optional(),
    "asked on the terminal",
    "E-mail address of the operator, for `npm run setup`.",
  ),
  OPERATOR_PASSWORD: setting(
    z.string().min(8, "needs at least 8 characters").max(200).optional(),
    "asked on the terminal",
    "The operator's password, for `npm run setup` without a terminal. Not read by the server.",
  ),
  OPERATOR_COMPANY: setting(
    z.string().trim().min(2).max(50).default("Operador"),
    "Operador",
    "Name of the operator's own company, for `npm run setup`.",
  ),
  DRAIN_SECONDS: setting(
    whole(0, 12).default(12),
    "12",
    "How long a stopping process goes on serving so that proxies notice, if another process can take over. See Stopping and restarting.",
  ),
  NEW_PASSWORD: setting(
    z.string().min(8, "needs at least 8 characters").max(200).optional(),
    "asked on the terminal",
    "The password that `npm run reset-password` sets, without a terminal. Not read by the server.",
  ),
  LOG_LEVEL: setting(
    z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
    "info",
    "Lowest level that is logged.",
  ),
  TRUST_PROXY: setting(
    trust.default(false),
    "off",
    "Behind a reverse proxy: `on` for one proxy, the number of proxies, or their addresses. The caller's address is then taken from what they add to X-Forwarded-For.",
  ),
  UPLOAD_MAX_MB: setting(
    whole(1, 2048).default(64),
    "64",
    "Largest file that a person may upload, in MB of 1,048,576 bytes.",
  ),
  BODY_MAX_KB: setting(whole(16, 65_536).default(1024), "1024", "Largest JSON body, in kB of 1,024 bytes."),
  REQUEST_SECONDS: setting(
    whole(1, 600).default(10),
    "10",
    "Time limit for a request's head, and again for its body. An upload has no time limit, but must bring at least 1 kB in twice this time.",
  ),
  MAX_CONNECTIONS: setting(
    whole(10, 1_000_000).default(10_000),
    "10000",
    "Concurrent connections, WebSockets included; at most three quarters of `ulimit -Hn`.",
  ),
  MAX_CONNECTIONS_PER_ADDRESS: setting(
    whole(10, 1_000_000).default(2_000),
    "2000",
    "Concurrent connections from one IPv4 address or IPv6 /64 block; at most half of all. Proxies named by TRUST_PROXY are not limited.",
  ),
  API_DOCS: setting(
    onOff.optional(),
    "on outside production",
    "Serves the API's documentation at /docs and /docs/json to everybody.",
  ),
  SESSION_SOCKETS: setting(
    whole(1, 100_000).default(20),
    "20",
    "Sockets of one session in one process, so the open tabs of one browser; a further one is refused.",
  ),
  PUSH_PRIVATE_HOSTS: setting(
    onOff.default(false),
    "off",
    "Allows push services in private networks. A browser names its push service, so users can then make the server call addresses there.",
  ),
  WEBHOOK_PRIVATE_HOSTS: setting(
    onOff.default(false),
    "off",
    "Allows webhooks and queue integrations to addresses in private networks. Admins of every company can then make the server call them.",
  ),
  LANGUAGE_MODEL_PRIVATE_HOSTS: setting(
    onOff.default(false),
    "off",
    "Allows language models in private networks, such as one on this machine. Admins of every company can then make the server call addresses there.",
  ),
  AZURE_SPEECH_URL: setting(
    z
      .string()
      .regex(/^https?:\/\/[^/]+(?:\/[^/]+)*$/u)
      .default("https://{region}.tts.speech.microsoft.com"),
    "https://{region}.tts.speech.microsoft.com",
    "Address of Azure's text to speech, for voices of AI prompts; `{region}` is the prompt's region. Another one for Azure's other clouds, or for a container of the service.",
  ),
  DIALOGFLOW_URL: setting(
    z
      .string()
      .regex(/^https?:\/\/[^/]+(?:\/[^/]+)*$/u)
      .optional(),
    "Google's",
    "Address of Dialogflow ES, for queue integrations; `{location}` is the agent's region. Another one where Google's services are reached by a gateway of your own.",
  ),
  LINK_PREVIEWS: setting(
    onOff.default(true),
    "on",
    "Fetches the pages of addresses in messages for their previews, where the company has not switched them off. Public addresses only; off where the server must not call the web.",
  ),
  METRICS_TOKEN: setting(
    z.string().min(16).optional(),
    "none: /metrics answers this machine only",
    "Bearer token that /metrics then requires from everybody. Required behind a proxy on this machine.",
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    httpAddress.optional(),
    "none: no traces",
    "Address of an OpenTelemetry collector that takes OTLP over HTTP: `http://collector:4318`. Spans of requests, jobs and statements, without values. OTEL_EXPORTER_OTLP_HEADERS is passed on.",
  ),
  OTEL_TRACES_SAMPLER_ARG: setting(
    within(0, 1).default(1),
    "1",
    "Part of the requests and jobs that is traced, 0 to 1.",
  ),
} as const satisfies Record<string, Setting>;

/** The table of docs/operations.md. */
export function settingsTable(): string {
  const rows = Object.entries(settings).map(
    ([name, { byDefault, meaning }]) => `| \`${name}\` | ${byDefault} | ${meaning} |`,
  );
  return ["| setting | default | meaning |", "|---|---|---|", ...rows].join("\n");
}
