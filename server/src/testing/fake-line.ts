import { writeFile } from "node:fs/promises";
import type { Feature } from "#server/platform/feature.ts";
import { SendError } from "#server/whatsapp/port.ts";
import type { Address, Line, MediaSource, MessageRef, Outbound, PersonRef } from "#server/whatsapp/port.ts";

export interface SentByLine {
  readonly waId: string;
  readonly to: Address;
  readonly content: Outbound;
}

/** A line without a network: records its calls, and answers as the test configures. */
export interface FakeLine extends Line {
  readonly sent: SentByLine[];
  readonly read: { readonly chat: Address; readonly refs: readonly MessageRef[] }[];
  /** Typing states that were sent. */
  readonly typing: { readonly chat: Address; readonly isTyping: boolean }[];
  isConnected: boolean;
  /** Called before each send is recorded; throw to refuse it. */
  onSend: (sent: SentByLine) => void | Promise<void>;
  /** The bytes behind a source; throw for a file that is gone. */
  onDownload: (source: MediaSource) => Uint8Array;
  /** Profile picture requests, in order. */
  readonly requestedPictures: Address[];
  /** The bytes of a profile picture; undefined if there is none, or it is hidden. */
  onPicture: (of: Address) => Uint8Array | undefined | Promise<Uint8Array | undefined>;
  /** Admins of every group. */
  admins: readonly PersonRef[];
  texts(): string[];
}

export function createFakeLine(connectionId: number): FakeLine {
  const line: FakeLine = {
    connectionId,
    sent: [],
    read: [],
    typing: [],
    isConnected: true,
    onSend: () => undefined,
    onDownload: () => new Uint8Array([1, 2, 3]),
    requestedPictures: [],
    onPicture: () => undefined,
    texts: () => line.sent.flatMap(({ content }) => (content.kind === "text" ? [content.text] : [])),
    async send(waId, to, content) {
      if (!line.isConnected) {
        throw new SendError("notConnected", true);
      }
      await line.onSend({ waId, to, content });
      line.sent.push({ waId, to, content });
    },
    async markRead(chat, refs) {
      line.read.push({ chat, refs });
    },
    async setTyping(chat, isTyping) {
      line.typing.push({ chat, isTyping });
    },
    checkNumbers: async () => new Map(),
    async download(source, path) {
      const bytes = line.onDownload(source);
      await writeFile(path, bytes);
      return { size: bytes.length };
    },
    async profilePicture(of, path) {
      line.requestedPictures.push(of);
      const bytes = await line.onPicture(of);
      if (bytes) {
        await writeFile(path, bytes);
      }
      return bytes ? "fetched" : "none";
    },
    groupSubject: async () => null,
    admins: [],
    groupAdmins: async () => line.admins,
    async rejectCall() {},
    async logout() {},
    drop() {},
    async stop() {},
  };
  return line;
}

/** Makes this process the owner of these lines: jobs bound to them run here. */
export function fakeLinesFeature(lines: ReadonlyMap<number, FakeLine>): Feature {
  return {
    name: "fake-lines",
    backgroundServices: () => [
      {
        name: "fake-lines",
        role: "lines",
        async start() {},
        async stop() {},
        affinities: () => () => new Set([...lines.keys()].map((id) => `line:${id}`)),
      },
    ],
  };
}
