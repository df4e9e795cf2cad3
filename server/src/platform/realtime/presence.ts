import { sessionRules } from "@prosa/contract";
import { sql } from "kysely";
import type { Db } from "../db/index.ts";

/** Of this process's users; half of the time after which a user counts as gone, so that one lost beat does no harm. */
const BEAT_MS = 20_000;
/** Behaviour 2: offline 60 s after the last socket is gone. */
const GONE_SECONDS = sessionRules.offlineAfterMs / 1_000;

/** `user.presence {userId, isOnline}`: emitted once for each change, whichever process saw it. */
export const presenceEvent = "user.presence";

export interface Presence {
  /** A socket of this user came; the first one makes them online. */
  came(companyId: number, userId: number): void;
  left(companyId: number, userId: number): void;
  /** The browser says that the user is still there. */
  touch(companyId: number, userId: number): void;
  /** Writes that the users here are here, and finds those who are nowhere any more. Runs by itself each 20 s. */
  beat(): Promise<void>;
  stop(): void;
}

/**
 * Who is online, over all processes: each renews `user_presence` for its own sockets, and a row that nobody renewed
 * for a minute means offline. So a process that dies needs nobody to clean up behind it.
 */
export function createPresence(db: Db, onError: (error: unknown) => void): Presence {
  const here = new Map<number, { readonly companyId: number; sockets: number }>();
  const timer = setInterval(() => void beat(), BEAT_MS).unref();
  let last: Promise<void> = Promise.resolve();

  function renew(users: readonly { readonly userId: number; readonly companyId: number }[]): Promise<void> {
    last = last.then(() => writePresent(db, users)).catch(onError);
    return last;
  }

  async function beat(): Promise<void> {
    await renew([...here].map(([userId, { companyId }]) => ({ userId, companyId })));
    await writeGone(db).catch(onError);
  }

  return {
    came(companyId, userId) {
      const entry = here.get(userId) ?? { companyId, sockets: 0 };
      entry.sockets += 1;
      here.set(userId, entry);
      if (entry.sockets === 1) {
        void renew([{ companyId, userId }]);
      }
    },
    left(companyId, userId) {
      const entry = here.get(userId);
      if (entry && (entry.sockets -= 1) === 0) {
        here.delete(userId);
        // The minute counts from now.
        void renew([{ companyId, userId }]);
      }
    },
    touch: (companyId, userId) => void renew([{ companyId, userId }]),
    beat,
    stop: () => clearInterval(timer),
  };
}

async function writePresent(
  db: Db,
  users: readonly { readonly userId: number; readonly companyId: number }[],
): Promise<void> {
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

async function writeGone(db: Db): Promise<void> {
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
