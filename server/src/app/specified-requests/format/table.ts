/**
 * The form of a specified request. The tables beside this room are written from the two specification files and from what
 * they leave to the server ("behaviour"), as a frontend of another house reads them: no path, field or value is taken from
 * the contract package, so that a mistake that we make twice is still found.
 *
 * Rows of one table run in order. What a row keeps by `keep` stands as `{name}` in the rows after it.
 */

type Method = "GET" | "POST" | "PUT" | "DELETE";

/** Who sends a request. `agent` has the queue Suporte, `colleague` the queue Vendas, `newcomer` signs in and out, `stranger` is another company's admin. */
export type Who = "admin" | "supervisor" | "agent" | "colleague" | "newcomer" | "operator" | "stranger" | "nobody";

export interface SpecifiedRequest {
  /** Method and address, spelled as the specification spells them. */
  readonly request: `${Method} ${string}`;
  /** What it proves, with rows of the ledger. */
  readonly proves: string;
  /** Texts of customers that arrive before it. */
  readonly arrives?: readonly { readonly from: string; readonly says: string }[];
  /** Default: the admin. */
  readonly as?: Who;
  /** JSON, or a `form`. `"{ticket}"` is the kept value itself, not its text. */
  readonly send?: unknown;
  /** Sends it so often, with {n} from 101 on. The last answer counts. */
  readonly times?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: any of 200 to 299. */
  readonly status?: number;
  /** At least this is in the answer: values, or kinds of values (kinds.ts). */
  readonly holds?: unknown;
  /** Values of the answer that later rows need, by their place in it: `{ tag: "id" }`, `{ first: "users.0.id" }`. */
  readonly keep?: Readonly<Record<string, string>>;
  /** What is true afterwards, for whoever looks. */
  readonly after?: readonly Look[];
  /** Rooms that sockets enter before it. */
  readonly joins?: readonly { readonly as: Who; readonly room: string; readonly id: string }[];
  /** What sockets receive because of it; packets of one channel to one person in this order. */
  readonly hears?: readonly Heard[];
}

/** A GET after the request. */
export interface Look {
  readonly get: string;
  readonly as?: Who;
  readonly status?: number;
  readonly holds?: unknown;
}

/** A packet on a channel, for one person's socket. */
export interface Heard {
  readonly channel: string;
  readonly as?: Who;
  readonly holds: unknown;
}

/** A multipart body: fields and files in this order. */
export class Form {
  readonly parts: readonly (readonly [field: string, value: string | SentFile])[];
  constructor(parts: Form["parts"]) {
    this.parts = parts;
  }
}

export interface SentFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

export function form(...parts: Form["parts"]): Form {
  return new Form(parts);
}

/** A picture of one point. */
export function png(name: string): SentFile {
  const point = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  return { name, type: "image/png", bytes: Buffer.from(point, "base64") };
}

export function pdf(name: string): SentFile {
  return { name, type: "application/pdf", bytes: Buffer.from("%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n") };
}

export function plainFile(name: string, type: string, text: string): SentFile {
  return { name, type, bytes: Buffer.from(text) };
}
