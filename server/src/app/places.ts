import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const root = new URL("../../../", import.meta.url);

/** The built web app. */
export const webFolder = fileURLToPath(new URL("web/dist", root));

/** The version of the product, from the package at the root. */
export const version = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL("package.json", root), "utf8"))).version;
