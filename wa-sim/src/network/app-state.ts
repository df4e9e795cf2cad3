import { randomBytes } from "node:crypto";
import { encodeSyncdPatch, newLTHashState, proto } from "baileys";
import type { LTHashState, WAPatchName } from "baileys";

/** The collection of read marks of chats. */
export const CHATS = "regular_low" satisfies WAPatchName;

interface Patch {
  readonly version: number;
  readonly bytes: Uint8Array;
}

/** App state of a phone for its linked devices: patches, each encrypted under a key that was shared with them. */
export class AppState {
  readonly #keys = new Map<string, proto.Message.IAppStateSyncKeyData>();
  readonly #patches: Patch[] = [];
  #newest = "";
  #state: LTHashState = newLTHashState();

  get version(): number {
    return this.#state.version;
  }

  /** Creates a new key; later patches use it. */
  newKey(seconds: number): proto.Message.IAppStateSyncKey {
    const keyId = randomBytes(6);
    const keyData = { keyData: randomBytes(32), timestamp: seconds };
    this.#newest = keyId.toString("base64");
    this.#keys.set(this.#newest, keyData);
    return { keyId: { keyId }, keyData };
  }

  async markRead(chat: string, isRead: boolean, seconds: number): Promise<void> {
    const { patch, state } = await encodeSyncdPatch(
      {
        type: CHATS,
        index: ["markChatAsRead", chat],
        syncAction: { timestamp: seconds * 1_000, markChatAsReadAction: { read: isRead } },
        apiVersion: 3,
        operation: proto.SyncdMutation.SyncdOperation.SET,
      },
      this.#newest,
      this.#state,
      (id) => Promise.resolve(this.#keys.get(id)),
    );
    this.#state = state;
    const bytes = proto.SyncdPatch.encode({ ...patch, version: { version: state.version } }).finish();
    this.#patches.push({ version: state.version, bytes });
  }

  since(version: number): Uint8Array[] {
    return this.#patches.filter((patch) => patch.version > version).map(({ bytes }) => bytes);
  }
}
