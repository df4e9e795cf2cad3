import { LRUCache } from "lru-cache";
import type { Address } from "../../port.ts";
import { SendError } from "../../port.ts";
import { jidOf } from "../addresses.ts";
import { DeviceListCache } from "./device-list-cache.ts";
import type { KeyStore } from "../journal/index.ts";
import { jidDecode } from "../library.ts";
import type { GroupMetadata, WASocket } from "../library.ts";

type Devices = Awaited<ReturnType<WASocket["getUSyncDevices"]>>;

const MAX_GROUPS = 200;
/** Sends share a query of this age; an older one without a result may never have one, so they query again. */
const SHARED_QUERY_MS = 5_000;
/** WhatsApp's codes for a group that the line is not in, or that is gone. */
const NOT_ALLOWED_CODES: readonly unknown[] = [401, 403, 404];

/**
 * Looks up the devices of a message's recipients, and ensures a Signal session with each, before the library encrypts the
 * message (decision 0114). The library would look both up itself, but it holds the lock of all sends of the line
 * meanwhile, and takes a query without an result for a recipient without devices.
 */
export class RecipientDevices {
  /** Given to the library as its cache of device lists. */
  readonly deviceLists = new DeviceListCache();
  readonly #groups = new LRUCache<string, GroupMetadata>({ max: MAX_GROUPS });
  readonly #keys: KeyStore;
  /** Queries for the line's own devices that have no result yet. */
  readonly #ownDeviceQueries = new Map<string, { readonly result: Promise<Devices>; readonly at: number }>();

  constructor(keys: KeyStore) {
    this.#keys = keys;
  }

  /** Given to the library: the group as it was when the message that is being sent was addressed. */
  readonly cachedGroup = async (jid: string): Promise<GroupMetadata | undefined> => this.#groups.get(jid);

  /** Throws SendError where no device of the recipient is known. `skipsCache`: queries the devices even where cached. */
  async ensureSessions(sock: WASocket, to: Address, skipsCache: boolean): Promise<void> {
    const devices =
      to.kind === "group"
        ? await this.#devicesOfGroup(sock, to, skipsCache)
        : await this.#devicesOfPerson(sock, to, skipsCache);
    await sock.assertSessions(devices.map(({ jid }) => jid));
  }

  /** Devices of the contact and of the line's own account, both under the kind of address of the chat. */
  async #devicesOfPerson(sock: WASocket, to: Address, skipsCache: boolean): Promise<Devices> {
    const me = sock.user;
    const self = jidDecode(to.kind === "lid" && me?.lid ? me.lid : me?.id);
    const ownJid = self && jidOf({ kind: to.kind, value: self.user });
    // Two queries: a contact that WhatsApp does not result for must not delay other chats, which wait for the own devices.
    const [own, theirs] = await Promise.all([
      ownJid ? this.#ownDevices(sock, ownJid, skipsCache) : [],
      ownJid === jidOf(to) ? [] : this.#devices(sock, [jidOf(to)], skipsCache),
    ]);
    const devices = [...own, ...theirs].filter(({ jid }) => jid !== me?.id && jid !== me?.lid);
    if (!devices.some(({ user }) => user === to.value)) {
      throw await noDevicesError(sock, to);
    }
    return devices;
  }

  /** Devices that lack the group's sender key. WhatsApp itself delivers the message to all members. */
  async #devicesOfGroup(sock: WASocket, to: Address, skipsCache: boolean): Promise<Devices> {
    const jid = jidOf(to);
    const [group, senderKeys] = await Promise.all([
      groupMetadata(sock, jid),
      this.#keys.get("sender-key-memory", [jid]),
    ]);
    this.#groups.set(jid, group);
    const devices = await this.#devices(
      sock,
      group.participants.map(({ id }) => id),
      skipsCache,
    );
    const keyHolders = Object.keys(senderKeys[jid] ?? {}).filter((device) => senderKeys[jid]?.[device]);
    const reached = new Set([...devices.map(({ user }) => user), ...keyHolders.map(userOf)]);
    const others = group.participants.map(({ id }) => userOf(id)).filter((user) => !isOwn(sock, user));
    if (others.length > 0 && !others.some((user) => reached.has(user))) {
      throw devicesError("WhatsApp named no device of the group's members");
    }
    return devices.filter((device) => !senderKeys[jid]?.[device.jid]);
  }

  async #devices(sock: WASocket, jids: readonly string[], skipsCache: boolean): Promise<Devices> {
    const isKnown = (jid: string) => !skipsCache && this.deviceLists.isFresh(userOf(jid));
    const unknown = jids.filter((jid) => !isKnown(jid));
    const [cached, queried] = await Promise.all([
      sock.getUSyncDevices(jids.filter(isKnown), true, false),
      this.deviceLists.runQuery(unknown.map(userOf), () => sock.getUSyncDevices(unknown, false, false)),
    ]);
    return [...cached, ...queried];
  }

  /** Devices of the line itself: each result makes a new session with the own phone, so several sends share a query. */
  async #ownDevices(sock: WASocket, jid: string, skipsCache: boolean): Promise<Devices> {
    const query = this.#ownDeviceQueries.get(jid);
    if (query && Date.now() - query.at < SHARED_QUERY_MS) {
      return query.result;
    }
    const result = this.#devices(sock, [jid], skipsCache);
    this.#ownDeviceQueries.set(jid, { result, at: Date.now() });
    const remove = () => this.#ownDeviceQueries.delete(jid);
    result.then(remove, remove);
    return result;
  }
}

const userOf = (jid: string) => jidDecode(jid)?.user ?? "";

const isOwn = ({ user: me }: WASocket, user: string) => [me?.id, me?.lid].some((jid) => jid && userOf(jid) === user);

const devicesError = (detail: string) => new SendError("devices", true, { detail });

/** The error where WhatsApp answered and named no device. */
async function noDevicesError(sock: WASocket, to: Address): Promise<SendError> {
  const found = to.kind === "phone" ? await sock.onWhatsApp(jidOf(to)) : undefined;
  return found?.some(({ exists }) => exists) === false
    ? new SendError("invalidContact", false, { detail: "The number is not on WhatsApp" })
    : devicesError("WhatsApp named no device of the recipient");
}

async function groupMetadata(sock: WASocket, jid: string): Promise<GroupMetadata> {
  try {
    return await sock.groupMetadata(jid);
  } catch (cause) {
    const { data } = cause as { readonly data?: unknown };
    throw NOT_ALLOWED_CODES.includes(data) ? new SendError("notAllowed", false, { cause }) : cause;
  }
}
