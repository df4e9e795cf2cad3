import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";
import type { DevEnvironment } from "vite";
import { expect, onTestFinished, test } from "vitest";

const web = fileURLToPath(new URL("..", import.meta.url));

/** The development server of `web/vite.config.ts`, without a port. */
async function startDevServer(): Promise<DevEnvironment> {
  const cacheDir = await mkdtemp(join(tmpdir(), "prosa-vite-"));
  const server = await createServer({
    configFile: join(web, "vite.config.ts"),
    root: web,
    cacheDir,
    logLevel: "silent",
    // Packages are served as they are: to bundle them is most of the server's start.
    optimizeDeps: { noDiscovery: true, include: [] },
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  });
  onTestFinished(async () => {
    await server.close();
    await rm(cacheDir, { recursive: true });
  });
  return server.environments.client;
}

/** Follows the imports of a module, lazy ones included and those of packages not. Returns what is served and, with its reason, what is not. */
async function walk(server: DevEnvironment, entry: string) {
  const known = new Set<string>();
  const served: string[] = [];
  const refused: string[] = [];

  async function visit(url: string): Promise<void> {
    if (known.has(url) || url.includes("/node_modules/")) {
      return;
    }
    known.add(url);
    await server.transformRequest(url).then(
      () => served.push(url),
      (error: unknown) => refused.push(`${url}: ${String(error)}`),
    );
    const imported = (await server.moduleGraph.getModuleByUrl(url))?.importedModules ?? [];
    await Promise.all([...imported].map((module) => visit(module.url)));
  }

  await visit(entry);
  return { served, refused };
}

test("npm run dev serves every module of the page, with the three languages in their sources", async () => {
  const server = await startDevServer();
  const { served, refused } = await walk(server, "/src/main.tsx");

  expect(refused).toEqual([]);
  expect(served).toEqual(
    expect.arrayContaining(["/src/lib/text/other-languages.ts", "/src/features/tickets/tickets.i18n.ts"]),
  );
  const texts = await server.transformRequest("/src/features/tickets/tickets.i18n.ts");
  expect(texts?.code).toContain("Nueva conversación");
});
