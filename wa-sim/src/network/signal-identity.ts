import { randomInt } from "node:crypto";
import { Curve, DEFAULT_CONNECTION_CONFIG, generateSignalPubKey, signedKeyPair } from "baileys";
import type {
  KeyPair,
  SignalDataSet,
  SignalDataTypeMap,
  SignalKeyStoreWithTransaction,
  SignalRepositoryWithLIDStore,
  SignedKeyPair,
} from "baileys";
import type { Logger } from "pino";
import { bigEndian, bytesOf, child, node, readBigEndian } from "../protocol/index.ts";
import type { Node } from "../protocol/index.ts";
import type { Journal } from "../storage/index.ts";

/** A pre-key bundle: what a device publishes so that others can start a Signal session with it. */
export interface KeyBundle {
  registrationId: number;
  identity: Uint8Array;
  signedPreKey: { id: number; public: Uint8Array; signature: Uint8Array };
  preKey?: { id: number; public: Uint8Array };
}

export interface Ciphertext {
  type: "pkmsg" | "msg";
  bytes: Uint8Array;
}

interface OwnKeys {
  identity: KeyPair;
  registrationId: number;
  signedPreKey?: SignedKeyPair;
  nextPreKeyId: number;
}

/** The Signal keys of one simulated phone: identity, pre-keys, sessions with linked devices, sender keys of groups. */
export class SignalIdentity {
  readonly #owner: string;
  readonly #journal: Journal;
  readonly #keys: OwnKeys;
  readonly #repository: SignalRepositoryWithLIDStore;
  readonly #records = new Map<string, unknown>();

  constructor(owner: string, journal: Journal, log: Logger) {
    this.#owner = owner;
    this.#journal = journal;
    const saved = journal.get(`identity/${owner}`) as OwnKeys | undefined;
    this.#keys = saved ?? {
      identity: Curve.generateKeyPair(),
      registrationId: randomInt(1, 16_380),
      nextPreKeyId: 1,
    };
    if (!saved) {
      this.#saveKeys();
    }
    this.#repository = DEFAULT_CONNECTION_CONFIG.makeSignalRepository(
      // signedPreKey is a getter: it is created at first use
      { creds: this.#credentials(), keys: this.#keyStore() },
      log.child({ owner }, { level: "silent" }),
      () => Promise.resolve([]),
    );
  }

  /** Restores a session, pre-key or sender key from the journal. */
  restore(kind: string, id: string, value: unknown): void {
    this.#records.set(`${kind}/${id}`, value);
  }

  get identityKey(): KeyPair {
    return this.#keys.identity;
  }

  get registrationId(): number {
    return this.#keys.registrationId;
  }

  /** The bundle for a line that starts a session with this phone, with a new one-time pre-key. */
  publishBundle(): KeyBundle {
    const signed = this.#signedPreKey();
    const id = this.#keys.nextPreKeyId++;
    const preKey = Curve.generateKeyPair();
    this.#write("pre-key", String(id), preKey);
    this.#saveKeys();
    return {
      registrationId: this.#keys.registrationId,
      identity: this.#keys.identity.public,
      signedPreKey: { id: signed.keyId, public: signed.keyPair.public, signature: signed.signature },
      preKey: { id, public: preKey.public },
    };
  }

  async hasSession(jid: string): Promise<boolean> {
    return (await this.#repository.validateSession(jid)).exists;
  }

  async startSession(jid: string, bundle: KeyBundle): Promise<void> {
    await this.#repository.injectE2ESession({
      jid,
      session: {
        registrationId: bundle.registrationId,
        identityKey: generateSignalPubKey(bundle.identity),
        signedPreKey: {
          keyId: bundle.signedPreKey.id,
          publicKey: generateSignalPubKey(bundle.signedPreKey.public),
          signature: bundle.signedPreKey.signature,
        },
        ...(bundle.preKey && {
          preKey: { keyId: bundle.preKey.id, publicKey: generateSignalPubKey(bundle.preKey.public) },
        }),
      },
    });
  }

  async encrypt(jid: string, data: Uint8Array): Promise<Ciphertext> {
    const { type, ciphertext } = await this.#repository.encryptMessage({ jid, data });
    return { type, bytes: ciphertext };
  }

  decrypt(jid: string, type: "pkmsg" | "msg", ciphertext: Uint8Array): Promise<Uint8Array> {
    return this.#repository.decryptMessage({ jid, type, ciphertext });
  }

  async encryptForGroup(
    group: string,
    me: string,
    data: Uint8Array,
  ): Promise<{ ciphertext: Uint8Array; senderKey: Uint8Array }> {
    const made = await this.#repository.encryptGroupMessage({ group, meId: me, data });
    return { ciphertext: made.ciphertext, senderKey: made.senderKeyDistributionMessage };
  }

  senderKeyFor(group: string, me: string): Promise<Uint8Array> {
    return this.#repository.getSenderKeyDistributionMessage({ group, meId: me });
  }

  decryptFromGroup(group: string, author: string, msg: Uint8Array): Promise<Uint8Array> {
    return this.#repository.decryptGroupMessage({ group, authorJid: author, msg });
  }

  processSenderKey(groupId: string, author: string, key: Uint8Array): Promise<void> {
    return this.#repository.processSenderKeyDistributionMessage({
      authorJid: author,
      item: { groupId, axolotlSenderKeyDistributionMessage: key },
    });
  }

  /** Deletes every session, as a contact's new phone does. */
  forgetSessions(): void {
    for (const name of [...this.#records.keys()]) {
      if (!name.startsWith("pre-key/")) {
        this.#records.delete(name);
        this.#journal.remove(`signal/${this.#owner}/${name}`);
      }
    }
  }

  /** Created at first use: signing takes milliseconds in JavaScript, and most phones never need the key. */
  #signedPreKey(): SignedKeyPair {
    if (!this.#keys.signedPreKey) {
      this.#keys.signedPreKey = signedKeyPair(this.#keys.identity, 1);
      this.#saveKeys();
    }
    return this.#keys.signedPreKey;
  }

  #credentials(): { signedIdentityKey: KeyPair; signedPreKey: SignedKeyPair; registrationId: number } {
    const signedPreKey = (): SignedKeyPair => this.#signedPreKey();
    return {
      signedIdentityKey: this.#keys.identity,
      registrationId: this.#keys.registrationId,
      get signedPreKey() {
        return signedPreKey();
      },
    };
  }

  #saveKeys(): void {
    this.#journal.put(`identity/${this.#owner}`, this.#keys);
  }

  #write(kind: string, id: string, value: unknown): void {
    const name = `${kind}/${id}`;
    if (value === null) {
      this.#records.delete(name);
      this.#journal.remove(`signal/${this.#owner}/${name}`);
    } else {
      this.#records.set(name, value);
      const journalled = `signal/${this.#owner}/${name}`;
      if (kind === "session") {
        this.#journal.putPlain(journalled, value); // libsignal stores sessions in base64, so there are no bytes to encode
      } else {
        this.#journal.put(journalled, value);
      }
    }
  }

  /** Key store in memory with a copy in the journal. Transactions run one after another per address. */
  #keyStore(): SignalKeyStoreWithTransaction {
    const turns = new Map<string, Promise<unknown>>();
    return {
      get: <T extends keyof SignalDataTypeMap>(type: T, ids: string[]) => {
        const found: Record<string, SignalDataTypeMap[T]> = {};
        for (const id of ids) {
          const value = this.#records.get(`${type}/${id}`);
          if (value !== undefined) {
            found[id] = value as SignalDataTypeMap[T];
          }
        }
        return found;
      },
      set: (data: SignalDataSet) => {
        for (const [kind, values] of Object.entries(data)) {
          for (const [id, value] of Object.entries(values)) {
            this.#write(kind, id, value);
          }
        }
      },
      isInTransaction: () => false,
      transaction: async (work, key) => {
        const before = turns.get(key);
        const turn = before ? before.then(work, work) : work();
        turns.set(key, turn);
        try {
          return await turn;
        } finally {
          if (turns.get(key) === turn) {
            turns.delete(key);
          }
        }
      },
    };
  }
}

/** The stanza children of a bundle. */
export function bundleNodes(bundle: KeyBundle): Node[] {
  const nodes = [
    node("registration", {}, bigEndian(bundle.registrationId, 4)),
    node("type", {}, Buffer.from([5])),
    node("identity", {}, bundle.identity),
    node("skey", {}, [
      node("id", {}, bigEndian(bundle.signedPreKey.id, 3)),
      node("value", {}, bundle.signedPreKey.public),
      node("signature", {}, bundle.signedPreKey.signature),
    ]),
  ];
  if (bundle.preKey) {
    nodes.push(
      node("key", {}, [node("id", {}, bigEndian(bundle.preKey.id, 3)), node("value", {}, bundle.preKey.public)]),
    );
  }
  return nodes;
}

export const readPreKey = (key: Node): { id: number; public: Buffer } => ({
  id: readBigEndian(bytesOf(key, "id")),
  public: bytesOf(key, "value"),
});

export function readSignedPreKey(parent: Node): KeyBundle["signedPreKey"] {
  const skey = child(parent, "skey");
  return {
    id: readBigEndian(bytesOf(skey, "id")),
    public: bytesOf(skey, "value"),
    signature: bytesOf(skey, "signature"),
  };
}
