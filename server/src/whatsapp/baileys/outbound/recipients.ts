import { LRUCache } from "lru-cache";
import type { Address } from "../../port.ts";
import { SendError } from "../../port.ts";
import { jidOf } from "../addresses.ts";
import { DeviceLists } from "./device-list-cache.ts";
import type { KeyStore } from "../journal/index.ts";
import { jidDecode } from "../library.ts";
import type { GroupMetadata, WASocket } from "../library.ts";

type Devices = Awaited<ReturnType<WASocket["getUSyncDevices"]>>;

const MOST_GROUPS = 200;
/** An answer that was not there by now may never come: whoever sends asks again. */
const ASKED_LATELY_MS = 5_000;
/** What WhatsApp answers about a group that the line is not in, or that is gone. */
const NOT_OURS: readonly unknown[] = [401, 403, 404];

/**
 * Finds out on which devices a message will be read, and makes sure that there is a session with each, before the
 * library encrypts it (decision 0114). The library asks for both itself where it has no answer, but holds the lock of
 * all sends of the line meanwhile, and takes an answer that does not come for a recipient without devices.
 */
export class Recipients {
  /** For the library, which looks here before it asks. */
  readonly lists = new DeviceLists();
  readonly #groups = new LRUCache<string, GroupMetadata>({ max: MOST_GROUPS });
  readonly #keys: KeyStore;
  /** Questions for the line's own devices that have no answer yet. */
  readonly #asked = new Map<string, { readonly answer: Promise<Devices>; readonly at: number }>();

  constructor(keys: KeyStore) {
    this.#keys = keys;
  }

  /** For the library: the group as it was when the message that is being sent was addressed. */
  readonly groupOf = async (jid: string): Promise<GroupMetadata | undefined> => this.#groups.get(jid);

  /** Throws SendError where no device of the recipient is known. `isAnew`: does not trust what is known. */
  async find(sock: WASocket, to: Address, isAnew: boolean): Promise<void> {
    const devices =
      to.kind === "group" ? await this.#ofGroup(sock, to, isAnew) : await this.#ofPerson(sock, to, isAnew);
    await sock.assertSessions(devices.map(({ jid }) => jid));
  }

  /** Those of the contact and of the line's own phone, both under the address of the chat. */
  async #ofPerson(sock: WASocket, to: Address, isAnew: boolean): Promise<Devices> {
    const me = sock.user;
    const self = jidDecode(to.kind === "lid" && me?.lid ? me.lid : me?.id);
    const ownJid = self && jidOf({ kind: to.kind, value: self.user });
    // Apart: a contact that WhatsApp has no answer for must not keep other chats waiting for the own phone.
    const [own, theirs] = await Promise.all([
      ownJid ? this.#ownDevices(sock, ownJid, isAnew) : [],
      ownJid === jidOf(to) ? [] : this.#devices(sock, [jidOf(to)], isAnew),
    ]);
    const devices = [...own, ...theirs].filter(({ jid }) => jid !== me?.id && jid !== me?.lid);
    if (!devices.some(({ user }) => user === to.value)) {
      throw await whyNobody(sock, to);
    }
    return devices;
  }

  /** WhatsApp itself hands the message to all members; only who lacks the group's key gets it apart. */
  async #ofGroup(sock: WASocket, to: Address, isAnew: boolean): Promise<Devices> {
    const jid = jidOf(to);
    const [group, known] = await Promise.all([groupMetadata(sock, jid), this.#keys.get("sender-key-memory", [jid])]);
    this.#groups.set(jid, group);
    const devices = await this.#devices(
      sock,
      group.participants.map(({ id }) => id),
      isAnew,
    );
    const keyHolders = Object.keys(known[jid] ?? {}).filter((device) => known[jid]?.[device]);
    const reached = new Set([...devices.map(({ user }) => user), ...keyHolders.map(userOf)]);
    const others = group.participants.map(({ id }) => userOf(id)).filter((user) => !isOwn(sock, user));
    if (others.length > 0 && !others.some((user) => reached.has(user))) {
      throw nobody("WhatsApp named no device of the group's members");
    }
    return devices.filter((device) => !known[jid]?.[device.jid]);
  }

  async #devices(sock: WASocket, jids: readonly string[], isAnew: boolean): Promise<Devices> {
    const isKnown = (jid: string) => !isAnew && this.lists.isFresh(userOf(jid));
    const unknown = jids.filter((jid) => !isKnown(jid));
    const [known, news] = await Promise.all([
      sock.getUSyncDevices(jids.filter(isKnown), true, false),
      this.lists.asking(unknown.map(userOf), () => sock.getUSyncDevices(unknown, false, false)),
    ]);
    return [...known, ...news];
  }

  /** Of the line itself: each answer makes a new session with the own phone, so that several sends ask once. */
  async #ownDevices(sock: WASocket, jid: string, isAnew: boolean): Promise<Devices> {
    const asked = this.#asked.get(jid);
    if (asked && Date.now() - asked.at < ASKED_LATELY_MS) {
      return asked.answer;
    }
    const answer = this.#devices(sock, [jid], isAnew);
    this.#asked.set(jid, { answer, at: Date.now() });
    const forget = () => this.#asked.delete(jid);
    answer.then(forget, forget);
    return answer;
  }
}

const userOf = (jid: string) => jidDecode(jid)?.user ?? "";

const isOwn = ({ user: me }: WASocket, user: string) => [me?.id, me?.lid].some((jid) => jid && userOf(jid) === user);

const nobody = (detail: string) => new SendError("devices", true, { detail });

/** WhatsApp answered, and named no device. */
async function whyNobody(sock: WASocket, to: Address): Promise<SendError> {
  const found = to.kind === "phone" ? await sock.onWhatsApp(jidOf(to)) : undefined;
  return found?.some(({ exists }) => exists) === false
    ? new SendError("invalidContact", false, { detail: "The number is not on WhatsApp" })
    : nobody("WhatsApp named no device of the recipient");
}

async function groupMetadata(sock: WASocket, jid: string): Promise<GroupMetadata> {
  try {
    return await sock.groupMetadata(jid);
  } catch (cause) {
    const { data } = cause as { readonly data?: unknown };
    throw NOT_OURS.includes(data) ? new SendError("notAllowed", false, { cause }) : cause;
  }
}
