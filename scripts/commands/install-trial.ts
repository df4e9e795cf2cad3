import { LaunchError } from "../launcher/error.mjs";
import { container } from "../install-trials/container.ts";
import { systemd } from "../install-trials/systemd.ts";
import { bundle, newcomer, npm } from "../install-trials/ways.ts";

const ways: Readonly<Record<string, () => Promise<void>>> = { npm, newcomer, bundle, systemd, container };

/**
 * `npm run install-trial -- npm|newcomer|bundle|systemd|container`: installs Prosa on a bare Debian as docs/operations.md says, and holds a
 * first chat on it. As root, on a Debian with debootstrap and systemd-container, for containers with Docker and its compose; no part of
 * `npm test`, as it takes minutes and the network of Debian.
 */
export async function run(names: readonly string[]): Promise<void> {
  const unknown = names.find((name) => !Object.hasOwn(ways, name));
  if (unknown !== undefined || names.length === 0) {
    throw new LaunchError(`Which way? ${Object.keys(ways).join(", ")}`);
  }
  for (const name of names) {
    console.log(`\n── ${name} ──`);
    await ways[name]!();
  }
}
