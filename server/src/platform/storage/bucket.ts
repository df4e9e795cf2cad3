import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  NoSuchKey,
  paginateListObjectsV2,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import type { S3Settings } from "../config/index.ts";
import { clientOf } from "./s3.ts";
import { StorageMiss } from "./storage.ts";

/** S3 takes at most 10,000 parts of at least 5 MB. */
const MAX_PARTS = 9_000;
const MIN_PART_BYTES = 16 * 1024 * 1024;

export interface BucketObject {
  readonly key: string;
  readonly bytes: number;
  readonly storedAt: Date;
}

/** A bucket by its own keys, for what is no file of a company: backups. Errors are those of the S3 client. */
export interface Bucket {
  /** Uploads a file of any size, in parts; the object appears when it is whole. */
  putFile(key: string, file: string): Promise<void>;
  /** Rejects with StorageMiss where there is no such object. */
  get(key: string): Promise<Readable>;
  list(prefix: string): Promise<BucketObject[]>;
  delete(key: string): Promise<void>;
  /** Discards uploads of keys with this prefix that a killed process began before `before`. */
  abortUploads(prefix: string, before: Date): Promise<void>;
  close(): void;
}

export function openBucket(settings: S3Settings): Bucket {
  const { bucket: Name } = settings;
  const client = clientOf(settings);
  return {
    async putFile(key, file) {
      const { size } = await stat(file);
      const partSize = Math.max(MIN_PART_BYTES, Math.ceil(size / MAX_PARTS));
      const params = { Bucket: Name, Key: key, Body: createReadStream(file), ContentType: "application/octet-stream" };
      await new Upload({ client, params, partSize, queueSize: 2 }).done();
    },
    async get(key) {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket: Name, Key: key }));
        if (!(Body instanceof Readable)) {
          throw new StorageMiss(key);
        }
        return Body;
      } catch (error) {
        throw error instanceof NoSuchKey ? new StorageMiss(key, { cause: error }) : error;
      }
    },
    async list(prefix) {
      const found: BucketObject[] = [];
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: Name, Prefix: prefix })) {
        found.push(
          ...Contents.flatMap(({ Key, Size = 0, LastModified = new Date(0) }) =>
            Key === undefined ? [] : [{ key: Key, bytes: Size, storedAt: LastModified }],
          ),
        );
      }
      return found;
    },
    async delete(key) {
      await client.send(new DeleteObjectCommand({ Bucket: Name, Key: key }));
    },
    async abortUploads(prefix, before) {
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: Name, Prefix: prefix }));
      for (const { Key, UploadId, Initiated } of Uploads) {
        if (Initiated !== undefined && Initiated < before) {
          await client.send(new AbortMultipartUploadCommand({ Bucket: Name, Key, UploadId }));
        }
      }
    },
    close: () => client.destroy(),
  };
}
