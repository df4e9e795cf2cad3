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

export function bigEndian(value: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  bytes.writeUIntBE(value, 0, length);
  return bytes;
}

export const readBigEndian = (bytes: Uint8Array): number => Buffer.from(bytes).readUIntBE(0, bytes.length);
