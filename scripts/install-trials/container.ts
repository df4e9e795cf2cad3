/** Both compose files: one process with its database, then three, two and two behind the proxy. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { LaunchError } from "../launcher/error.mjs";
import { root } from "../support/paths.ts";
import { haveImages } from "./images.ts";
import { holdFirstChat, succeed, timed } from "./machine.ts";
import { operator } from "./ways.ts";

const ONE = "http://localhost:8080";
const BEHIND_PROXY = "https://localhost";
/** What deploy/nginx.conf makes of an address that somebody in a private network forges. */
const NEIGHBOUR = "192.168.50.5";
const FORGED = `10.66.6.6, ${NEIGHBOUR}`;
/** Of the process that has the phones, in development. */
const PHONES = "http://127.0.0.1:18081";

/** Production has no simulator. Its network is in the container of the lines, which therefore answers for the phones. */
const development = "    environment: { NODE_ENV: development }\n";
const oneOverride = `services:\n  prosa:\n${development}`;
const scaleOverride = `services:
  prosa:
${development}  workers:
${development}  lines:
    environment: { NODE_ENV: development, ROLES: "http,lines" }
    ports: ["127.0.0.1:18081:8080"]
    deploy: { replicas: 1 }
`;

/** Needs Docker with its compose, and the ports 80, 443, 8080 and 18081; root too where no registry has the images. */
export async function container(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "prosa-trial-"));
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const secret = () => randomBytes(24).toString("base64url");
  const keys = `SECRET_KEY=${secret()}${secret()}\nPOSTGRES_PASSWORD=${secret()}\nDOMAIN=localhost\n`;
  const compose = (url: string, ...files: string[]) => {
    const name = `${new URL(url).protocol}env`;
    const env = write(name, `${keys}PUBLIC_URL=${url}\nSETTINGS_FILE=${join(folder, name)}\nUPLOAD_MAX_MB=65\n`);
    const common = ["compose", "-p", "prosa-trial", "--env-file", env, ...files.flatMap((file) => ["-f", file])];
    return (...words: string[]) => succeed("docker", [...common, ...words]);
  };
  const file = (name: string) => join(root, "deploy", name);
  const one = compose(ONE, file("compose.yaml"));
  const scaled = compose(BEHIND_PROXY, file("compose.yaml"), file("compose.scale.yaml"));
  const scaledChat = compose(
    BEHIND_PROXY,
    file("compose.yaml"),
    file("compose.scale.yaml"),
    write("scale.yaml", scaleOverride),
  );
  try {
    const standIns = await timed("the images below", haveImages);
    console.log(
      standIns.length > 0 ? `          made of Debian's packages: ${standIns.join(", ")}` : "          of the registry",
    );
    await timed("docker build", () => one("build", "-q", "prosa"));
    await timed("docker compose up", () => one("up", "-d"));
    await untilHealthy("prosa");
    const code = await one("exec", "-T", "prosa", "/prosa/bin/prosa", "setup", "--code");
    const from = ["--from", await gateway()];
    const chat = (...words: string[]) => holdFirstChat([ONE, ...operator, ...from, ...words]);
    await chat("--code", /[\dA-Z]+-[\dA-Z-]+/u.exec(code)?.[0] ?? "", "--sign-in-only");
    await holdFirstChat([ONE, ...operator, "--from", NEIGHBOUR, "--forwarded", FORGED, "--again", "--sign-in-only"]);
    const limit = await one("exec", "-T", "prosa", "printenv", "UPLOAD_MAX_MB");
    if (limit.trim() !== "65") {
      throw new LaunchError("A setting of the env file does not reach the process");
    }
    await compose(ONE, file("compose.yaml"), write("one.yaml", oneOverride))("up", "-d");
    await chat();
    await kill("prosa");
    await timed("killed, started again and healthy", () => untilHealthy("prosa"));
    await chat("--again");

    await timed("scaled out to eight containers behind the proxy", () => scaled("up", "-d"));
    await untilHealthy("prosa", "workers", "lines");
    const certificate = join(folder, "root.crt");
    await scaled("cp", "proxy:/data/caddy/pki/authorities/local/root.crt", certificate);
    const chatBehindProxy = (...words: string[]) =>
      holdFirstChat([BEHIND_PROXY, ...operator, ...from, ...words], { trust: certificate });
    await chatBehindProxy("--again", "--sign-in-only");
    await scaledChat("up", "-d");
    await chatBehindProxy("--phones", PHONES);
    for (const service of ["prosa", "workers", "lines", "database"]) {
      await kill(service);
    }
    await timed("one of each role and the database killed, all healthy again", () =>
      untilHealthy("prosa", "workers", "lines", "database"),
    );
    await chatBehindProxy("--phones", PHONES, "--again");
  } finally {
    await scaledChat("down", "-v", "--timeout", "20");
    rmSync(folder, { recursive: true, force: true });
  }
}

async function containersOf(service: string): Promise<string[]> {
  const filters = ["com.docker.compose.project=prosa-trial", `com.docker.compose.service=${service}`];
  const output = await succeed("docker", ["ps", "-aq", ...filters.flatMap((label) => ["--filter", `label=${label}`])]);
  return output.split(/\s+/u).filter(Boolean);
}

async function inspect(format: string, ...ids: string[]): Promise<string[]> {
  return (await succeed("docker", ["inspect", "-f", format, ...ids])).trim().split("\n");
}

/** As a crash does: `docker kill` would count as a person's wish, and nothing would start it again. */
async function kill(service: string): Promise<void> {
  const [first] = await containersOf(service);
  const [pid] = await inspect("{{.State.Pid}}", first!);
  process.kill(Number(pid), "SIGKILL");
  await until(`${service} was started again`, async () => (await inspect("{{.RestartCount}}", first!))[0] === "1", 30);
}

async function untilHealthy(...services: string[]): Promise<void> {
  for (const service of services) {
    await until(`${service} is healthy`, async () => {
      const states = await inspect("{{.State.Health.Status}}", ...(await containersOf(service)));
      return states.every((state) => state === "healthy");
    });
  }
}

async function until(what: string, holds: () => Promise<boolean>, seconds = 180): Promise<void> {
  for (let left = seconds; !(await holds()); left -= 1) {
    if (left === 0) {
      throw new LaunchError(`Not within ${seconds} s: ${what}`);
    }
    await sleep(1_000);
  }
}

/** This machine, as containers see it. */
async function gateway(): Promise<string> {
  const format = "{{range .IPAM.Config}}{{.Gateway}}{{end}}";
  return (await succeed("docker", ["network", "inspect", "-f", format, "prosa-trial_default"])).trim();
}
