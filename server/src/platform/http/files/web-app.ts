import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { pagePolicy } from "../responses/index.ts";

/** The built web app: its files, and index.html for every screen. */
export interface WebApp {
  hasFile(request: FastifyRequest): boolean;
  /** Sends the file of this path, which must exist (`hasFile`). */
  sendFile(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
  sendPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
}

interface Asset {
  readonly type: string;
  readonly etag: string;
  readonly body: Buffer;
  readonly isImmutable: boolean;
  /** Compressed on first use and cached: a few MB for the whole app. */
  readonly compressed: Map<Encoding, Promise<Buffer>>;
}

type Encoding = "br" | "gzip";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".webp": "image/webp",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".mp3": "audio/mpeg",
  ".ogg": "audio/ogg",
  ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};
const compressible = /^(text\/|application\/(json|manifest|wasm)|image\/svg)/;

const missingPage = `<!doctype html><html lang="en"><title>Prosa</title><p>The web app is not built here. Run <code>npm start</code>, or <code>npm run build</code> and then this server.`;

/** Reads the built app into memory once; files added later are not served. */
export async function loadWebApp(folder: string): Promise<WebApp> {
  const assets = await readAssets(folder);
  const index = assets.get("/index.html") ?? asset("/index.html", Buffer.from(missingPage));

  const fileOf = (request: FastifyRequest): Asset | undefined => {
    const found = assets.get(pathOf(request));
    return found === index ? undefined : found;
  };

  return {
    hasFile: (request) => fileOf(request) !== undefined,
    sendFile: (request, reply) => send(fileOf(request) ?? index, request, reply),
    sendPage(request, reply) {
      reply.header("content-security-policy", pagePolicy);
      return send(index, request, reply);
    },
  };
}

async function readAssets(folder: string): Promise<Map<string, Asset>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter(
    (entry) => entry.isFile() && !entry.name.startsWith(".") && !entry.parentPath.includes(`${sep}.vite`),
  );
  const loaded = await Promise.all(
    files.map(async (entry) => {
      const file = join(entry.parentPath, entry.name);
      const path = `/${relative(folder, file).split(sep).join("/")}`;
      return [path, asset(path, await readFile(file))] as const;
    }),
  );
  return new Map(loaded);
}

function asset(path: string, body: Buffer): Asset {
  return {
    type: types[extname(path)] ?? "application/octet-stream",
    etag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`,
    body,
    // Vite adds a content hash to these names.
    isImmutable: path.startsWith("/assets/"),
    compressed: new Map(),
  };
}

async function send(found: Asset, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  reply
    .header("cache-control", found.isImmutable ? "public, max-age=31536000, immutable" : "no-cache")
    .header("etag", found.etag)
    .header("vary", "accept-encoding")
    .type(found.type);
  if (request.headers["if-none-match"] === found.etag) {
    return reply.code(304).send();
  }

  const encoding = compressible.test(found.type) ? acceptedEncoding(request) : undefined;
  if (encoding === undefined) {
    return reply.send(found.body);
  }
  const body = await compressed(found, encoding);
  return reply.header("content-encoding", encoding).send(body);
}

function acceptedEncoding(request: FastifyRequest): Encoding | undefined {
  const accepted = String(request.headers["accept-encoding"] ?? "");
  return (["br", "gzip"] as const).find((encoding) =>
    new RegExp(`\\b${encoding}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`).test(accepted),
  );
}

function compressed(found: Asset, encoding: Encoding): Promise<Buffer> {
  const cached = found.compressed.get(encoding);
  if (cached) {
    return cached;
  }
  const result =
    encoding === "br"
      ? promisify(brotliCompress)(found.body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })
      : promisify(gzip)(found.body, { level: 8 });
  found.compressed.set(encoding, result);
  return result;
}

function pathOf(request: FastifyRequest): string {
  const path = request.url.split("?", 1)[0] ?? "/";
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
