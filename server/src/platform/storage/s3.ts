import { Readable } from "node:stream";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  NotFound,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  paginateListObjectsV2,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { ConfigError } from "../config/index.ts";
import type { S3Settings } from "../config/index.ts";
import { StorageMiss, checkedKey } from "./storage.ts";
import type { KeptFile, Storage } from "./storage.ts";

const CHECK_WITHIN_MS = 5_000;
/** An empty object outside the folders of companies, written at each start. */
const CHECK_KEY = "prosa-start-check";

/** Storage in a bucket of Amazon S3 or a compatible server. */
export function createS3Storage(settings: S3Settings): Storage {
  const { bucket: Bucket, endpoint, region } = settings;
  const client = clientOf(settings);

  async function find(key: string): Promise<KeptFile | undefined> {
    try {
      const found = await client.send(new HeadObjectCommand({ Bucket, Key: checkedKey(key) }));
      return { size: found.ContentLength ?? 0, storedAt: found.LastModified ?? new Date() };
    } catch (error) {
      if (error instanceof NotFound) {
        return undefined;
      }
      throw error;
    }
  }

  return {
    stat: find,
    async put(key, body, { contentType, isHuge = false }) {
      let size = 0;
      const counted = Readable.from(body instanceof Readable ? body : [body]).on(
        "data",
        (chunk: Uint8Array) => (size += chunk.length),
      );
      counted.pause();
      await new Upload({
        client,
        // a bucket takes 10,000 parts: 5 MB each are 50 GB
        ...(isHuge && { partSize: 32 * 1024 * 1024, queueSize: 2 }),
        params: { Bucket, Key: checkedKey(key), Body: counted, ContentType: contentType },
      }).done();
      return { size };
    },
    async get(key, range) {
      try {
        const Range = range && `bytes=${range.start}-${range.end}`;
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: checkedKey(key), Range }));
        if (!(Body instanceof Readable)) {
          throw new StorageMiss(key);
        }
        return Body;
      } catch (error) {
        throw error instanceof NoSuchKey ? new StorageMiss(key, { cause: error }) : error;
      }
    },
    async *list(companyId, folder) {
      const Prefix = `company/${companyId}/${folder}/`;
      for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix })) {
        yield* (page.Contents ?? []).flatMap(({ Key }) => Key ?? []);
      }
    },
    async *listAll() {
      for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix: "company/" })) {
        yield* (page.Contents ?? []).flatMap(({ Key }) => Key ?? []);
      }
    },
    // A lifecycle rule of the bucket deletes incomplete multipart uploads (docs/operations.md).
    async deleteStaleUploads() {},
    async delete(key) {
      await client.send(new DeleteObjectCommand({ Bucket, Key: checkedKey(key) }));
    },
    async deleteCompany(companyId) {
      const Prefix = `company/${companyId}/`;
      for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix })) {
        await Promise.all(
          (page.Contents ?? []).map(({ Key }) => client.send(new DeleteObjectCommand({ Bucket, Key }))),
        );
      }
    },
    identity: async () => `bucket ${Bucket} at ${endpoint ?? `Amazon in ${region}`}`,
    async check() {
      try {
        const abortSignal = AbortSignal.timeout(CHECK_WITHIN_MS);
        // Write access is what must work; reading would prove little.
        await client.send(new PutObjectCommand({ Bucket, Key: CHECK_KEY, Body: "", ContentLength: 0 }), {
          abortSignal,
        });
      } catch (error) {
        const why = permanentReason(error);
        throw why === undefined ? error : new ConfigError(`S3_BUCKET: ${Bucket} cannot be used: ${why}`);
      }
    },
    async close() {
      client.destroy();
    },
  };
}

/** A client of Amazon S3 or a compatible server. */
export function clientOf({ endpoint, region, accessKeyId, secretAccessKey, pathStyle }: S3Settings): S3Client {
  return new S3Client({
    region,
    forcePathStyle: pathStyle,
    ...(endpoint !== undefined && { endpoint }),
    ...(accessKeyId !== undefined &&
      secretAccessKey !== undefined && { credentials: { accessKeyId, secretAccessKey } }),
    // Compatible servers lack the newer checksums.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
}

/** Reason of a permanent failure; undefined when a retry may help. */
function permanentReason(error: unknown): string | undefined {
  const { name, message, code, $metadata } = error as {
    readonly name?: string;
    readonly message?: string;
    readonly code?: string;
    readonly $metadata?: { readonly httpStatusCode?: number };
  };
  if (code === "ENOTFOUND") {
    return `there is no such server (${message})`;
  }
  if (name === "CredentialsProviderError") {
    return "there is no key for it; set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY";
  }
  const { httpStatusCode: status = 500 } = $metadata ?? {};
  const isRefused = status >= 300 && status < 500 && status !== 408 && status !== 429;
  return isRefused ? `the server answers ${status} ${name ?? ""}: ${message}` : undefined;
}
