import { expect, test } from "vitest";
import { checkHosts } from "./hosts.ts";
import { plant } from "./planted.ts";

// Put together here, because this file is checked as well.
const address = `https://${["registry", "example", "org"].join(".")}`;

test("a file that names a registry is reported", () => {
  using project = plant({ ".npmrc": `registry=${address}/`, "docs/install.md": `Fetched from ${address}.` });
  expect(checkHosts(project.root).map(({ file }) => file)).toEqual([".npmrc", "docs/install.md"]);
});

test("a lock file that resolved a package to an address is reported, links inside the project are not", () => {
  using far = plant({ "package-lock.json": '{ "resolved": "https://packages.example.com/zod.tgz" }' });
  using near = plant({ "package-lock.json": '{ "resolved": "server", "link": true }' });
  expect(checkHosts(far.root)).toHaveLength(1);
  expect(checkHosts(near.root)).toEqual([]);
});
