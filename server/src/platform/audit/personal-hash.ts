import { createHash } from "node:crypto";

/** What an audit row may say of a person: it can be emptied later, and the chain still holds over its hash. */
export interface PersonalPart {
  readonly targetName: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** SHA-256 over the salt and the canonical JSON of the personal part. */
export function personalHash(salt: Uint8Array, { targetName, details }: PersonalPart): Buffer {
  return createHash("sha256")
    .update(salt)
    .update(canonicalJson([targetName, details]))
    .digest();
}

/** JSON with sorted keys: jsonb does not keep their order. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(canonicalJson).join()}]`;
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${canonicalJson(each)}`).join()}}`;
  }
  return JSON.stringify(value);
}
