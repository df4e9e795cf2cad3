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

/** Context of an event handler: reads views of its company. */
export interface EventTools {
  readonly companyId: number;
  readonly log: Logger;
  now(): Date;
  read<T>(work: (ctx: Ctx) => Promise<T>): Promise<T>;
}

/**
 * Turns events of one type and one company into packets. It gets all events of a batch in order, so that ten updates
 * of a ticket are one read of its view. Events may be handled twice or late, so it reads the current state.
 */
export type EventHandler = (batch: readonly RecordedEvent[], tools: EventTools) => Promise<readonly Emission[]>;

/** The user of a socket. */
export interface SocketUser {
  readonly actor: UserActor;
  readonly log: Logger;
  read<T>(work: (ctx: Ctx) => Promise<T>): Promise<T>;
}

/**
 * Rooms that the user enters with `joinX(argument)`; null or none refuses. Evaluated again when the user's rights
 * change. `leaveX` does not call it.
 */
export type JoinHandler = (
  user: SocketUser,
  argument: JoinArgument,
) => Promise<readonly string[] | null> | readonly string[] | null;

/** The sockets of this process, for packets that are never stored. */
export interface EphemeralSockets {
  /** Users with a socket in one of these rooms, each once. */
  usersIn(companyId: number, rooms: readonly string[]): readonly UserActor[];
  /** Writes packets that are never replayed. */
  publish(companyId: number, emissions: readonly Emission[]): Promise<void>;
}

/** Publishes ephemeral state of a feature: who views, who types. Runs in processes with the role realtime. */
export interface EphemeralFeature {
  /** A socket joined or left `joinX(argument)`, or disconnected. Called after the rooms changed. */
  readonly onRoomsChanged?: (companyId: number, name: string, argument: JoinArgument) => void;
  /** Handlers of client events besides joins, by name. Values are not validated yet. */
  readonly clientEvents?: Readonly<Record<string, (user: SocketUser, ...values: readonly unknown[]) => Promise<void>>>;
  start(): void;
  stop(): void;
}

/** Argument of a join, validated before a handler sees it. */
export type JoinArgument = string | number | undefined;

/** Room that every socket of a company joins by itself. */
export const everybody = "everybody";

export function userRoom(userId: number): string {
  return `user:${userId}`;
}

export function sessionRoom(sessionId: string): string {
  return `session:${sessionId}`;
}

/** The socket.io room of a company's room. */
export function scoped(companyId: number, room: string): string {
  return `${companyId}/${room}`;
}
