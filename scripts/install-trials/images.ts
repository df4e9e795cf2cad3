/** The images that deploy/ names, made of Debian's packages where no registry is at hand. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exec } from "../support/exec.ts";
import { cache } from "../support/paths.ts";
import { CERTIFICATES, certificates, newRoot, succeed } from "./machine.ts";

const NODE_IMAGE = "node:24-bookworm-slim";
const BASE_IMAGE = "debian:bookworm-slim";
const aptInstall =
  "apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends";

/** As far as deploy/compose.yaml uses the settings of the official image. */
const postgresEntry = `#!/bin/bash
set -e
export PATH=/usr/lib/postgresql/15/bin:$PATH PGDATA=/var/lib/postgresql/15/docker
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA" /run/postgresql
  chown -R postgres: /var/lib/postgresql /run/postgresql
  exec setpriv --reuid=postgres --regid=postgres --init-groups "$0" "$@"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  initdb --username="$POSTGRES_USER" --pwfile=<(echo "$POSTGRES_PASSWORD") --auth-host=scram-sha-256 $POSTGRES_INITDB_ARGS
  echo "host all all all scram-sha-256" >> "$PGDATA/pg_hba.conf"
  pg_ctl -w -o "-c listen_addresses=''" start
  createdb -U "$POSTGRES_USER" "$POSTGRES_DB"
  pg_ctl -w stop
fi
exec postgres -c listen_addresses='*' "$@"
`;

/** From Debian's packages, by the names that the official ones have. */
const ofPackages: Readonly<Record<string, string>> = {
  "postgres:18-bookworm": `FROM ${BASE_IMAGE}
RUN ${aptInstall} postgresql-15 postgresql-contrib > /dev/null && rm -rf /var/lib/postgresql/15
COPY entry.sh /entry.sh
VOLUME /var/lib/postgresql
STOPSIGNAL SIGINT
ENTRYPOINT ["/entry.sh"]
`,
  "caddy:2": `FROM ${BASE_IMAGE}
RUN ${aptInstall} caddy > /dev/null
ENV XDG_CONFIG_HOME=/config XDG_DATA_HOME=/data
CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]
`,
};

/** Has every image that deploy/ names: this machine's own, else the registry's, else a stand-in; returns the names of the stand-ins. */
export async function haveImages(): Promise<string[]> {
  const made: string[] = [];
  for (const [name, make] of [
    [BASE_IMAGE, makeBase],
    [NODE_IMAGE, makeNode],
    ...Object.keys(ofPackages).map((name) => [name, () => makeOfPackages(name)] as const),
  ] as const) {
    const isThere =
      (await exec("docker", ["image", "inspect", name])).ok || (await exec("docker", ["pull", "-q", name])).ok;
    if (!isThere) {
      await make();
      made.push(name);
    }
  }
  return made;
}

async function makeBase(): Promise<void> {
  await importRoot(await newRoot("image-base"), BASE_IMAGE);
}

/** The Node and npm that this trial itself runs on. */
async function makeNode(): Promise<void> {
  const folder = await newRoot("image-node");
  await succeed("install", ["-m", "755", process.execPath, join(folder, "usr/local/bin/node")]);
  const words = [
    "install",
    "--global",
    "--no-fund",
    "--loglevel=error",
    "--prefix",
    join(folder, "usr/local"),
    "npm@11",
  ];
  await succeed("npm", words);
  await importRoot(folder, NODE_IMAGE);
}

async function importRoot(folder: string, name: string): Promise<void> {
  const archive = `${folder}.tar`;
  await succeed("tar", ["-C", folder, "-cf", archive, "."]);
  const environment = certificates === undefined ? [] : ["--change", `ENV NODE_EXTRA_CA_CERTS=/${CERTIFICATES}`];
  await succeed("docker", ["import", ...environment, archive, name]);
  await succeed("rm", ["-r", folder, archive]);
}

async function makeOfPackages(name: string): Promise<void> {
  const folder = join(cache, "trial-images");
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true });
  }
  writeFileSync(join(folder, "entry.sh"), postgresEntry, { mode: 0o755 });
  writeFileSync(join(folder, "Dockerfile"), ofPackages[name]!);
  await succeed("docker", ["build", "-q", "-t", name, folder]);
}
