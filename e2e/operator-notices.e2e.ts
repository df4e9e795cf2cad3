/** Notices for the operator, on a product of its own: a refused client version, a full bucket. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { Locator, Page } from "@playwright/test";
import { connections, quickMessages } from "@prosa/contract";
import { WaSim } from "@prosa/wa-sim";
import { signInToApi, uniqueName } from "./support/api.ts";
import { accessibilityViolations } from "./support/axe.ts";
import { demo, expect, test as journey } from "./support/journey.ts";
import { startProduct, type Product } from "./support/product.ts";

const OLD = "2.3000.7";

/** The S3 calls that one small file needs, and the error of a full bucket. */
interface Bucket {
  readonly server: Server;
  isFull: boolean;
}

async function startBucket(): Promise<Bucket> {
  const objects = new Map<string, Buffer>();
  const bucket: Bucket = {
    isFull: false,
    server: createServer((request, response) => {
      answer(request, response).catch(() => response.destroy());
    }),
  };
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? "/", "http://s3").pathname;
    const body = await buffer(request);
    const stored = objects.get(path);
    if (request.method === "PUT" && bucket.isFull) {
      response.writeHead(507).end("<Error><Code>XMinioStorageFull</Code></Error>");
    } else if (request.method === "PUT") {
      objects.set(path, body);
      response.setHeader("etag", '"e"').end();
    } else if (request.method === "DELETE") {
      objects.delete(path);
      response.writeHead(204).end();
    } else if (stored) {
      response.setHeader("content-length", stored.length).end(request.method === "HEAD" ? undefined : stored);
    } else {
      response.writeHead(404).end(request.method === "HEAD" ? undefined : "<Error><Code>NoSuchKey</Code></Error>");
    }
  }
  await new Promise<void>((resolve) => bucket.server.listen(0, "127.0.0.1", resolve));
  return bucket;
}

const test = journey.extend<object, { readonly product: Product; readonly bucket: Bucket }>({
  bucket: [
    async ({ playwright: _ }, use) => {
      const bucket = await startBucket();
      await use(bucket);
      bucket.server.closeAllConnections();
      bucket.server.close();
    },
    { scope: "worker" },
  ],
  product: [
    async ({ bucket }, use) => {
      const whatsapp = await WaSim.start();
      whatsapp.faults.refusedVersions = [OLD];
      const product = await startProduct({
        ...{ WHATSAPP_WS_URL: whatsapp.wsUrl, WHATSAPP_VERSION: OLD },
        ...{ S3_BUCKET: "b", S3_ENDPOINT: `http://127.0.0.1:${(bucket.server.address() as AddressInfo).port}` },
        ...{ S3_PATH_STYLE: "on", S3_ACCESS_KEY_ID: "key", S3_SECRET_ACCESS_KEY: "secret" },
      });
      await use(product);
      await product.remove();
      await whatsapp.stop();
    },
    { scope: "worker", timeout: 240_000 },
  ],
});

/** Checks that the notice is readable on a laptop and at 360 px, light and dark, with its icon at full size. */
async function expectLegible(page: Page, notice: Locator, width: number): Promise<void> {
  for (const theme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
    await expect(notice).toBeVisible();
    expect(await accessibilityViolations(page, theme), `${width} px, ${theme}`).toEqual([]);
    const box = await notice.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0), `${width} px, ${theme}`).toBeLessThanOrEqual(width);
    expect(await notice.locator("svg").boundingBox(), `${width} px, ${theme}`).toMatchObject({ width: 16 });
  }
}

test("the operator is told that WhatsApp refuses the client's version (W-05)", async ({ at, product }) => {
  const operator = await signInToApi(product.url, demo.operator);
  await operator.call(connections.create, { body: { name: uniqueName("Loja"), provider: "beta" } });
  const refused = async () => (await operator.call(connections.refusedVersions, {})).map(({ version }) => version);
  await expect.poll(refused).toEqual([OLD]);

  for (const width of [1366, 360]) {
    const page = await at(demo.operator, { width });
    await page.goto("/settings");
    await expectLegible(page, page.getByRole("alert").filter({ hasText: `recusa a versão ${OLD}` }), width);
  }
});

test("the operator is told that no file can be saved, until there is room again (E-03)", async ({
  at,
  bucket,
  product,
}) => {
  const admin = await signInToApi(product.url, demo.admin);
  const { id } = await admin.call(quickMessages.create, { body: { shortcode: uniqueName("cheio"), message: "oi" } });
  const attach = () => {
    const form = new FormData();
    form.set("file", new File(["hello"], "a.txt"));
    return admin.call(quickMessages.upload, { params: { id }, form });
  };
  bucket.isFull = true;
  await expect(attach()).rejects.toThrow("ERR_STORAGE_FULL");

  for (const width of [1366, 360]) {
    const page = await at(demo.operator, { width });
    await page.goto("/settings");
    const notice = page.getByRole("alert").filter({ hasText: "espaço" });
    await expectLegible(page, notice, width);
    if (width === 360) {
      bucket.isFull = false;
      await page.reload();
      await expect(page.getByRole("heading", { name: "Configurações" })).toBeVisible();
      await expect(notice).toBeHidden();
      await attach();
    }
  }
});
