/** The bundle under systemd as the head of deploy/prosa@.service says it, on a Debian that boots, with Debian's own PostgreSQL. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { newMachine, succeed, timed } from "./machine.ts";
import type { Machine } from "./machine.ts";
import { aptInstall, bundleFile, codePattern, operator } from "./ways.ts";

const ADDRESS = "http://localhost:8080";
const PASSWORD = "uma-senha-do-banco";

/** First start, the main process killed, a new bundle in the place of the old one, and the whole machine started again. */
export async function systemd(): Promise<void> {
  const machine = await newMachine("systemd", { network: true, boots: true });
  await timed("systemd and PostgreSQL from Debian", () =>
    machine.run("root", `${aptInstall} systemd-sysv dbus postgresql postgresql-contrib > /dev/null 2>&1`),
  );
  await succeed("cp", [bundleFile(), join(machine.root, "root/prosa.tar.gz")]);
  let running = machine.boot();
  await until(machine, "systemctl is-active -q postgresql@15-main");
  await timed("what a person types", () => machine.within(install));
  const code = codePattern.exec(await until(machine, "journalctl -u prosa@8080 -o cat | grep -m 1 'with the code'"));
  await machine.firstChat(ADDRESS, "--code", code?.[1] ?? "", ...operator, "--sign-in-only");

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
