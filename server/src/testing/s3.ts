import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import type { S3Settings } from "#server/platform/config/index.ts";

export interface S3StandIn {
  readonly settings: S3Settings;
  /** By `/{bucket}/{key}`. */
  readonly objects: Map<string, Buffer>;
  /** Bytes of each part of the latest upload in parts, by its number. */
  readonly parts: ReadonlyMap<string, Buffer>;
}

/** The few words of S3 that we speak, over real HTTP: path style, one bucket, parts of an upload, pages of two names. Ends with the test. */
export async function startS3(): Promise<S3StandIn> {
  const objects = new Map<string, Buffer>();
  const parts = new Map<string, Buffer>();
  async function answer(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? "/", "http://s3");
    const body = await buffer(request);
    const stored = objects.get(url.pathname);
    const part = url.searchParams.get("partNumber");
    if (request.method === "GET" && url.searchParams.has("uploads")) {
      response.end("<ListMultipartUploadsResult></ListMultipartUploadsResult>");
    } else if (url.searchParams.has("list-type")) {
      const prefix = `${url.pathname.replace(/\/$/, "")}/${url.searchParams.get("prefix") ?? ""}`;
      const names = [...objects.keys()].filter((name) => name.startsWith(prefix));
      const after = url.searchParams.get("continuation-token") ?? "";
      const left = names.toSorted().filter((name) => name > after);
      const page = left.slice(0, 2);
      const rows = page.map(
        (name) =>
          `<Contents><Key>${name.replace(/^\/b\//, "")}</Key><LastModified>${new Date().toISOString()}</LastModified></Contents>`,
      );
      const more = left.length > page.length ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : "";
      response.end(
        `<ListBucketResult><IsTruncated>${more !== ""}</IsTruncated>${more}${rows.join("")}</ListBucketResult>`,
      );
    } else if (request.method === "POST" && url.searchParams.has("uploads")) {
      parts.clear();
      response.end("<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>");
    } else if (request.method === "PUT" && part !== null) {
      parts.set(part, body);
      response.setHeader("etag", `"${part}"`).end();
    } else if (request.method === "POST") {
      objects.set(
        url.pathname,
        Buffer.concat([...parts].toSorted(([a], [b]) => Number(a) - Number(b)).map(([, bytes]) => bytes)),
      );
      response.end("<CompleteMultipartUploadResult><ETag>e</ETag></CompleteMultipartUploadResult>");
    } else if (request.method === "PUT") {
      objects.set(url.pathname, body);
      response.setHeader("etag", '"e"').end();
    } else if (request.method === "DELETE") {
      objects.delete(url.pathname);
      response.writeHead(204).end();
    } else if (!stored) {
      response.writeHead(404).end("<Error><Code>NoSuchKey</Code></Error>");
    } else {
      const [, from = "0", to = String(stored.length - 1)] =
        /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? "") ?? [];
      const bytes = stored.subarray(Number(from), Number(to) + 1);
      response
        .writeHead(request.headers.range ? 206 : 200, {
          "content-length": bytes.length,
          "last-modified": new Date().toUTCString(),
        })
        .end(request.method === "HEAD" ? "" : bytes);
    }
  }
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const endpoint = `http://127.0.0.1:${port}`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const settings = {
    bucket: "b",
    endpoint,
    region: "us-east-1",
    accessKeyId: "a",
    secretAccessKey: "s",
    pathStyle: true,
  };
  return { settings, objects, parts };
}
