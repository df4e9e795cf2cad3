import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../ctx.ts";
import { StorageMiss } from "../../storage/index.ts";
import type { ByteRange, IsFileVisible, MediaFile, MediaLinks, Storage } from "../../storage/index.ts";
import { requireReader } from "../authentication.ts";
import type { AuthDeps } from "../authentication.ts";
import { readRange } from "./range.ts";
import { mediaPolicy } from "../responses/index.ts";

/** Types served inline; all others are attachments. */
const inlineTypes = /^(image\/(jpeg|png|webp|gif|avif|bmp)|audio\/.+|video\/.+|application\/pdf|text\/plain)$/;

export interface MediaDeps extends AuthDeps {
  readonly storage: Storage;
  readonly media: MediaLinks;
  readonly isFileVisible: IsFileVisible;
}

/**
 * GET /media/{token}: one file, whole or in ranges. An expired URL still works with a bearer token of its company: a session's, or an API
 * key with `messages:read`, because webhooks are delivered and replayed when the URLs in them have expired (decision 0214).
 */
export function serveMedia(app: FastifyInstance, deps: MediaDeps): void {
  app.get<{ Params: { token: string } }>("/media/:token", async (request, reply) => {
    const file = await allowedFile(request, request.params.token, deps);
    const [isVisible, stored] = await Promise.all([
      deps.isFileVisible(file.companyId, file.key),
      deps.storage.stat(file.key),
    ]);
    if (!isVisible || !stored) {
      throw new AppError("ERR_NOT_FOUND");
    }

    const range = readRange(request.headers.range, stored.size);
    describe(reply, file);
    if (range === "unsatisfiable") {
      return reply.code(416).header("content-range", `bytes */${stored.size}`).send();
    }
    if (range !== "whole") {
      reply.code(206).header("content-range", `bytes ${range.start}-${range.end}/${stored.size}`);
    }
    reply.header("content-length", range === "whole" ? stored.size : range.end - range.start + 1);
    return reply.send(request.method === "HEAD" ? null : await bytesOf(deps.storage, file, range));
  });
}

async function allowedFile(request: FastifyRequest, token: string, deps: MediaDeps): Promise<MediaFile> {
  const link = deps.media.read(token);
  if (!link) {
    throw new AppError("ERR_NOT_FOUND");
  }
  if (link.state === "expired") {
    const { actor } = await requireReader(request, "messages:read", deps);
    if (actor.companyId !== link.file.companyId) {
      throw new AppError("ERR_NOT_FOUND");
    }
  }
  return link.file;
}

function describe(reply: FastifyReply, { contentType, name }: MediaFile): void {
  const disposition = inlineTypes.test(contentType.split(";", 1)[0] ?? "") ? "inline" : "attachment";
  reply
    .type(contentType)
    .header("content-disposition", name === undefined ? disposition : `${disposition}; ${fileNameParameters(name)}`)
    .header("accept-ranges", "bytes")
    .header("cache-control", "private, max-age=86400, immutable")
    .header("content-security-policy", mediaPolicy)
    .header("cross-origin-resource-policy", "cross-origin")
    .removeHeader("x-frame-options");
}

/** RFC 6266: an ASCII name for old clients and the real one in UTF-8. */
function fileNameParameters(name: string): string {
  const plain = name.replaceAll(/[^\w .()-]/g, "_");
  const exact = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename="${plain}"; filename*=UTF-8''${exact}`;
}

async function bytesOf(storage: Storage, { key }: MediaFile, range: ByteRange | "whole") {
  try {
    return await (range === "whole" ? storage.get(key) : storage.get(key, range));
  } catch (error) {
    throw error instanceof StorageMiss ? new AppError("ERR_NOT_FOUND", undefined, { cause: error }) : error;
  }
}
