/** The bundle under systemd as the head of deploy/prosa@.service says it, on a Debian that boots, with Debian's own PostgreSQL. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { holdFirstChat, newMachine, succeed, timed } from "./machine.ts";
import type { Machine } from "./machine.ts";
import { aptInstall, bundleFile, operator } from "./ways.ts";

const ADDRESS = "http://localhost:8080";
const PASSWORD = "uma-senha-do-banco";

/** First start, the main process killed, a new bundle in the place of the old one, three processes behind nginx, and the whole machine started again. */
export async function systemd(): Promise<void> {
  const machine = await newMachine("systemd", { network: true, boots: true });
  await timed("systemd and PostgreSQL from Debian", () =>
    machine.run(
      "root",
      `${aptInstall} systemd-sysv dbus postgresql postgresql-contrib nginx-light openssl > /dev/null 2>&1`,
    ),
  );
  await succeed("cp", [bundleFile(), join(machine.root, "root/prosa.tar.gz")]);
  let running = machine.boot();
  await until(machine, "systemctl is-active -q postgresql@15-main");
  await timed("what a person types", () => machine.within(install));
  await until(machine, "/opt/prosa/bin/healthy");
  const code = await machine.within(`${command} setup --code`);
  await machine.firstChat(
    ADDRESS,
    "--code",
    /[\dA-Z]+-[\dA-Z-]+/u.exec(code)?.[0] ?? "",
    ...operator,
    "--sign-in-only",
  );

  await timed("the main process was killed, and systemd started it again", () => killed(machine));
  await machine.firstChat(ADDRESS, ...operator, "--again", "--sign-in-only");
  await timed("a new bundle took the place of the old one", () => machine.within(upgrade));
  await machine.firstChat(ADDRESS, ...operator, "--again", "--sign-in-only");

  // Production has no simulator.
  await machine.within(
    "mkdir /etc/systemd/system/prosa@.service.d; printf '[Service]\\nEnvironment=NODE_ENV=development\\n' > /etc/systemd/system/prosa@.service.d/trial.conf; systemctl daemon-reload; systemctl restart prosa@8080",
  );
  await machine.firstChat(ADDRESS, ...operator);
  await killed(machine);
  await machine.firstChat(ADDRESS, ...operator, "--again");
  await timed("three processes behind nginx", () => machine.within(scaleOut));
  for (const port of [8080, 8081, 8082]) {
    await until(machine, `PORT=${port} /opt/prosa/bin/healthy`);
  }
  const trust = join(machine.root, CERTIFICATE);
  await holdFirstChat(["https://localhost", ...operator, "--again"], { enter: machine.enter, trust });
  await running.kill();
  running = machine.boot();
  await timed("the machine boots, and Prosa with it", () =>
    until(machine, "journalctl -b -u prosa@8080 | grep -q ready:"),
  );
  await machine.firstChat(ADDRESS, ...operator, "--again");
  await running.kill();
}

const settings = {
  SECRET_KEY: "$(head -c 32 /dev/urandom | base64)",
  PUBLIC_URL: ADDRESS,
  DATABASE_URL: `postgres://prosa:${PASSWORD}@127.0.0.1/prosa`,
};

const install = [
  "mkdir /opt/prosa",
  "tar -xzf prosa.tar.gz -C /opt/prosa --strip-components=1",
  "cd /opt/prosa",
  `runuser -u postgres -- psql -qc "create role prosa login createrole password '${PASSWORD}'"`,
  "runuser -u postgres -- createdb --owner=prosa --template=template0 --encoding=UTF8 --locale=C.UTF-8 prosa",
  "useradd --system --home-dir /var/lib/prosa prosa",
  "install -m 600 deploy/env.example /etc/prosa.env",
  ...Object.entries(settings).map(([name, value]) => `sed -i "s#^${name}=.*#${name}=${value}#" /etc/prosa.env`),
  "cp deploy/prosa@.service /etc/systemd/system/",
  "systemctl enable -q --now prosa@8080",
].join("; ");

const upgrade = [
  "mkdir /opt/prosa.new",
  "tar -xzf prosa.tar.gz -C /opt/prosa.new --strip-components=1",
  "mv /opt/prosa /opt/prosa.old",
  "mv /opt/prosa.new /opt/prosa",
  "systemctl restart prosa@8080",
  "rm -r /opt/prosa.old",
].join("; ");

/** As the head of the unit says: any command of the bundle, with the settings of the service. */
const command =
  "systemd-run --quiet --pipe --wait --uid=prosa -p EnvironmentFile=/etc/prosa.env -E DATA_DIR=/var/lib/prosa /opt/prosa/bin/prosa";

/** Where deploy/nginx.conf wants it. */
const CERTIFICATE = "etc/ssl/desk.example.com.pem";

const scaleOut = [
  `openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout /etc/ssl/desk.example.com.key -out /${CERTIFICATE} 2> /dev/null`,
  "cp /opt/prosa/deploy/nginx.conf /etc/nginx/conf.d/prosa.conf",
  "systemctl enable -q --now prosa@8081 prosa@8082",
  "systemctl reload-or-restart nginx",
].join("; ");

async function killed(machine: Machine): Promise<void> {
  const pid = () => machine.within("systemctl show -P MainPID prosa@8080");
  const before = await pid();
  await machine.within(`kill -9 ${before.trim()}`);
  await until(machine, `test "$(systemctl show -P MainPID prosa@8080)" -gt 0; /opt/prosa/bin/healthy`);
  if ((await pid()) === before || !/^[1-9]/u.test(await machine.within("systemctl show -P NRestarts prosa@8080"))) {
    throw new Error("systemd did not start it again");
  }
}

/** What the first run of the script that succeeds writes. */
async function until(machine: Machine, script: string): Promise<string> {
  for (let left = 120; ; left -= 1) {
    try {
      return await machine.within(script);
    } catch (error) {
      if (left === 0) {
        throw error;
      }
      await sleep(1_000);
    }
  }
}
