import type { Ctx, UserActor } from "../ctx.ts";
import type { RecordedEvent } from "../events/index.ts";
import type { Logger } from "../log/index.ts";

/**
 * One packet and who gets it. Rooms are names inside the company: the same name in two companies is two rooms, so
 * that a wrong name can never reach a stranger.
 */
export interface Emission {
  readonly rooms: readonly string[];
  /** Sockets of these rooms get nothing, even where they are in `rooms`: who lost a ticket and who has it differ. */
  readonly except?: readonly string[];
  /** The wire name (contract `wireName`). */
  readonly event: string;
  readonly payload: unknown;
}

/** What an event handler may do: read views of its company. */
export interface EventTools {
  readonly companyId: number;
  readonly log: Logger;
  now(): Date;
  read<T>(work: (ctx: Ctx) => Promise<T>): Promise<T>;
}

/**
 * Turns events of one type and one company into packets. It gets all of them that came together, in order, so that
 * ten updates of a ticket are one read of its view. It must not matter when an event is handled twice, or late: it
 * reads what is true now.
 */
export type EventHandler = (batch: readonly RecordedEvent[], tools: EventTools) => Promise<readonly Emission[]>;

/** The person behind a socket. */
export interface SocketUser {
  readonly actor: UserActor;
  readonly log: Logger;
  read<T>(work: (ctx: Ctx) => Promise<T>): Promise<T>;
}

/**
 * Which rooms does this person enter with `joinX(argument)`? Null or none: ignored. Asked again when the person's
 * rights change. `leaveX` undoes it without asking.
 */
export type JoinHandler = (
  user: SocketUser,
  argument: JoinArgument,
) => Promise<readonly string[] | null> | readonly string[] | null;

/** The sockets of this process, for what is told and never stored. */
export interface LiveSockets {
  /** Who has a socket in one of these rooms, each person once. */
  usersIn(companyId: number, rooms: readonly string[]): readonly UserActor[];
  /** Writes packets that no returning browser is replayed. */
  tell(companyId: number, emissions: readonly Emission[]): Promise<void>;
}

/** A feature's part in what is going on right now: who looks, who types. Runs where sockets are. */
export interface Live {
  /** Somebody joined, left or went away from `joinX(argument)`; the rooms are as they are after it. */
  readonly onMoved?: (companyId: number, name: string, argument: JoinArgument) => void;
  /** What browsers say besides joins, by name. Values come unchecked. */
  readonly says?: Readonly<Record<string, (user: SocketUser, ...values: readonly unknown[]) => Promise<void>>>;
  start(): void;
  stop(): void;
}

/** What a browser may send along: checked to be one of these before a handler sees it. */
export type JoinArgument = string | number | undefined;

/** Rooms that every socket enters by itself. */
export const everybody = "everybody";

export function userRoom(userId: number): string {
  return `user:${userId}`;
}

export function sessionRoom(sessionId: string): string {
  return `session:${sessionId}`;
}

/** The name across companies. */
export function scoped(companyId: number, room: string): string {
  return `${companyId}/${room}`;
}
