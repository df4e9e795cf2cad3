import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";

/** Answers of services that do harm or are wrong, for the tests of those who call them. */

export type OddAnswer = (response: ServerResponse) => unknown;

/** In ISO-8859-1, as older systems write it, which say so or not. */
export const inLatin1 =
  (body: object, contentType = "application/json"): OddAnswer =>
  (response) =>
    response.writeHead(200, { "content-type": contentType }).end(Buffer.from(JSON.stringify(body), "latin1"));

/** With the byte order mark of a file that an editor of Windows saved. */
export const withMark =
  (body: object): OddAnswer =>
  (response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(`\uFEFF${JSON.stringify(body)}`);

/** An error with the status of a success. */
export const anError =
  (error: unknown): OddAnswer =>
  (response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ error }));

const packed = gzipSync(Buffer.alloc(100_000_000, " "), { level: 9 });

/** 100 kB that unpack to 100 MB, though nobody asked for that encoding. */
export const gzipBomb: OddAnswer = (response) =>
  response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(packed);

/** 100 MB, as fast as they are read. `sent` counts what was written. */
export function aFlood(): OddAnswer & { sent: number } {
  const chunk = Buffer.alloc(65_536, " ");
  const flood: OddAnswer & { sent: number } = Object.assign(
    (response: ServerResponse) => {
      response.writeHead(200, { "content-type": "application/json" });
      const pour = () => {
        while (!response.destroyed && flood.sent < 100_000_000) {
          flood.sent += chunk.length;
          if (!response.write(chunk)) {
            response.once("drain", pour);
            return;
          }
        }
        response.end();
      };
      pour();
    },
    { sent: 0 },
  );
  return flood;
}

/** The connection is gone amid the body. */
export const cutAmid =
  (body: object): OddAnswer =>
  (response) => {
    const text = JSON.stringify(body);
    response.writeHead(200, { "content-type": "application/json", "content-length": text.length });
    response.write(text.slice(0, text.length / 2), () => response.destroy());
  };

export const toPrivate: OddAnswer = (response) =>
  response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data" }).end();
