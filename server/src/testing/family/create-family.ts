import { randomBytes } from "node:crypto";
import { asOwner } from "../as-owner.ts";
import { inDatabase, onServer } from "../server.ts";
import { familySchema } from "./family-schema.ts";

/** A database of the family on the same server, with these rows. Drop it at the end. */
export async function createFamily(beside: string, ...statements: string[]): Promise<string> {
  const name = `prosa_family_${randomBytes(6).toString("hex")}`;
  await onServer(beside, (client) => client.query(`create database ${name}`));
  const url = inDatabase(beside, name);
  await asOwner(url, ...(statements.length > 0 ? [familySchema, ...statements] : []));
  return url;
}

/** A copy, as of an image of the system. No session may be in the first one. */
export async function copyFamily(url: string): Promise<string> {
  const name = `prosa_family_${randomBytes(6).toString("hex")}`;
  await onServer(url, (client) => client.query(`create database ${name} template ${nameOf(url)}`));
  return inDatabase(url, name);
}

export async function dropFamily(url: string): Promise<void> {
  await onServer(url, (client) => client.query(`drop database ${nameOf(url)} with (force)`));
}

function nameOf(url: string): string {
  return new URL(url).pathname.slice(1);
}
