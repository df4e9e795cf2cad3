import type { BinaryNode } from "baileys";

/** The address of the server itself. Baileys compares with this literal, empty user included. */
export const SERVER = "@s.whatsapp.net";

export type Node = BinaryNode;

/** Builds a stanza. Attributes that are undefined are left out; numbers become strings (a number would corrupt the frame). */
export function node(
  tag: string,
  attrs: Record<string, string | number | undefined> = {},
  content?: Node["content"],
): Node {
  const clean: Record<string, string> = {};
  for (const [key, value] of Object.entries(attrs)) {
    if (value !== undefined) {
      clean[key] = String(value);
    }
  }
  return content === undefined ? { tag, attrs: clean } : { tag, attrs: clean, content };
}

export function children(parent: Node | undefined, tag?: string): Node[] {
  if (!parent || !Array.isArray(parent.content)) {
    return [];
  }
  return tag === undefined ? parent.content : parent.content.filter((entry) => entry.tag === tag);
}

export function child(parent: Node | undefined, tag: string): Node | undefined {
  return children(parent, tag)[0];
}

/** The bytes of a child, or an error that names it: what a client must send is not optional. */
export function bytesOf(parent: Node | undefined, tag: string): Buffer {
  const content = child(parent, tag)?.content;
  if (typeof content === "string") {
    return Buffer.from(content);
  }
  if (content instanceof Uint8Array) {
    return Buffer.from(content);
  }
  throw new Error(`<${parent?.tag ?? "nothing"}> has no bytes in <${tag}>`);
}

export function attr(stanza: Node, name: string): string {
  const value = stanza.attrs[name];
  if (value === undefined) {
    throw new Error(`<${stanza.tag}> has no ${name}`);
  }
  return value;
}

export interface Jid {
  user: string;
  server: string;
  device: number;
}

export function parseJid(text: string): Jid {
  const at = text.indexOf("@");
  const [user = "", device] = text.slice(0, at).split(":");
  return { user, server: text.slice(at + 1), device: device ? Number(device) : 0 };
}

export const pnJid = (number: string, device = 0): string =>
  device ? `${number}:${device}@s.whatsapp.net` : `${number}@s.whatsapp.net`;

export const lidJid = (lid: string, device = 0): string => (device ? `${lid}:${device}@lid` : `${lid}@lid`);

export function bigEndian(value: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  bytes.writeUIntBE(value, 0, length);
  return bytes;
}

export const readBigEndian = (bytes: Uint8Array): number => Buffer.from(bytes).readUIntBE(0, bytes.length);

/** JSON that carries bytes: `{"$b": base64}`. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, key, plain: unknown) {
    const original = this[key]; // Buffer has a toJSON that would otherwise win
    return original instanceof Uint8Array ? { $b: Buffer.from(original).toString("base64") } : plain;
  });
}

export function fromJson(text: string): unknown {
  return text.includes('"$b"') ? JSON.parse(text, revive) : JSON.parse(text);
}

function revive(_key: string, value: unknown): unknown {
  if (typeof value === "object" && value !== null && "$b" in value && typeof value.$b === "string") {
    return Buffer.from(value.$b, "base64");
  }
  return value;
}
