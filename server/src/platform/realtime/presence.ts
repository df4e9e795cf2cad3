import { sessionRules } from "@prosa/contract";
import { sql } from "kysely";
import { setCoalescedInterval } from "../clock/index.ts";
import type { Db } from "../db/index.ts";

/** Well below GONE_SECONDS, so that one lost heartbeat does no harm. */
const HEARTBEAT_MS = 20_000;
/** Behaviour 2: offline 60 s after the last socket is gone. */
const GONE_SECONDS = sessionRules.offlineAfterMs / 1_000;

/** `user.presence {userId, isOnline}`: emitted once for each change, whichever process saw it. */
export const presenceEvent = "user.presence";

export interface Presence {
  /** A socket of this user connected; the first one makes them online. */
  connected(companyId: number, userId: number): void;
  disconnected(companyId: number, userId: number): void;
  /** The browser reported that the user is active. */
  renew(companyId: number, userId: number): void;
  /** Renews the users of this process and sets expired ones offline. Runs by itself each 20 s. */
  heartbeat(): Promise<void>;
  stop(): void;
}

/**
 * Online users over all processes: each process renews `user_presence` for its own sockets, and a row that was not
 * renewed for a minute means offline. So nothing has to clean up after a process that died.
 */
export function createPresence(db: Db, onError: (error: unknown) => void): Presence {
  const here = new Map<number, { readonly companyId: number; sockets: number }>();
  const endBeats = setCoalescedInterval(() => void beat(), HEARTBEAT_MS);
  const waiting = new Map<number, Present>();
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  /** One write at a time, and all who wait for it in the next: a socket may report its user as often as it likes. */
  function renew(users: readonly Present[]): Promise<void> {
    users.forEach((user) => waiting.set(user.userId, user));
    next ??= last = last
      .then(() => {
        next = undefined;
        const present = [...waiting.values()];
        waiting.clear();
        return writeOnline(db, present);
      })
      .catch(onError);
    return next;
  }

  async function beat(): Promise<void> {
    await renew([...here].map(([userId, { companyId }]) => ({ userId, companyId })));
    await writeOffline(db).catch(onError);
  }

  return {
    connected(companyId, userId) {
      const entry = here.get(userId) ?? { companyId, sockets: 0 };
      entry.sockets += 1;
      here.set(userId, entry);
      if (entry.sockets === 1) {
        void renew([{ companyId, userId }]);
      }
    },
    disconnected(companyId, userId) {
      const entry = here.get(userId);
      if (entry && (entry.sockets -= 1) === 0) {
        here.delete(userId);
        // The 60 s until offline start now.
        void renew([{ companyId, userId }]);
      }
    },
    renew: (companyId, userId) => void renew([{ companyId, userId }]),
    heartbeat: beat,
    stop: () => endBeats(),
  };
}

interface Present {
  readonly userId: number;
  readonly companyId: number;
}

async function writeOnline(db: Db, users: readonly Present[]): Promise<void> {
  if (users.length === 0) {
    return;
  }
  await db.systemTx(async (tx) => {
    const sorted = users.toSorted((a, b) => a.userId - b.userId);
    // Their rows are locked here, in one order, so that what follows sees what another process wrote meanwhile.
    await sql`
      insert into user_presence (user_id, company_id, is_online, seen_at)
      select user_id, company_id, false, now()
      from unnest(${sorted.map((user) => user.userId)}::int[], ${sorted.map((user) => user.companyId)}::int[])
        as present(user_id, company_id)
      -- one who was just deleted must not spoil it for the others
      where exists (select from users where users.id = present.user_id)
      on conflict (user_id) do update set seen_at = now()`.execute(tx.db);
    const { rows } = await sql<{ user_id: number; company_id: number }>`
      update user_presence set is_online = true
      where user_id = any(${sorted.map((user) => user.userId)}::int[]) and not is_online
      returning user_id, company_id`.execute(tx.db);
    for (const { user_id: userId, company_id: companyId } of rows) {
      tx.emit(companyId, { type: presenceEvent, payload: { userId, isOnline: true } });
    }
  });
}

async function writeOffline(db: Db): Promise<void> {
  await db.systemTx(async (tx) => {
    const { rows } = await sql<{ user_id: number; company_id: number }>`
      update user_presence set is_online = false
      where is_online and seen_at < now() - make_interval(secs => ${GONE_SECONDS})
      returning user_id, company_id`.execute(tx.db);
    for (const { user_id: userId, company_id: companyId } of rows) {
      tx.emit(companyId, { type: presenceEvent, payload: { userId, isOnline: false } });
    }
  });
}
