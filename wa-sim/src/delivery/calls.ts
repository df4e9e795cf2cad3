import type { Context, LineAccount, User } from "../network/index.ts";
import { node } from "../protocol/index.ts";

export interface Call {
  id: string;
  /** Resolves when the line rejects the call. */
  rejected: Promise<void>;
  /** The caller hangs up; the line sees a missed call. */
  hangUp(): void;
}

const ringing = new WeakMap<Context, Map<string, () => void>>();

export interface CallOptions {
  readonly video?: boolean;
  /** A call of several people: its offer says so, its end does not. */
  readonly group?: boolean;
}

/** Offers a call to every device of a line. */
export function placeCall(context: Context, caller: User, line: LineAccount, options: CallOptions): Call {
  const id = context.newId("CALL");
  const about = { "call-id": id, "call-creator": caller.jid };
  const ring = (name: string, attrs: Record<string, string>, content?: ReturnType<typeof node>[]): void => {
    const stanzaId = context.newId("C");
    const envelope = { from: caller.jid, id: stanzaId, t: context.seconds(), notify: caller.name };
    const stanza = node("call", envelope, [node(name, { ...about, caller_pn: caller.pn, ...attrs }, content)]);
    for (const companion of line.companions()) {
      companion.enqueue({ key: `call:${stanzaId}`, node: stanza });
    }
  };
  const rejected = new Promise<void>((resolve) => {
    const calls = ringing.get(context) ?? new Map<string, () => void>();
    ringing.set(context, calls.set(id, resolve));
  });
  ring("offer", options.group ? { type: "group" } : {}, [
    node("audio", { enc: "opus", rate: 16_000 }),
    ...(options.video ? [node("video")] : []),
  ]);
  return {
    id,
    rejected,
    hangUp: () => {
      ringing.get(context)?.delete(id);
      ring("terminate", { reason: "timeout" });
    },
  };
}

/** Settles `rejected` of a call that a line rejects. */
export function rejectCall(context: Context, callId: string): void {
  const calls = ringing.get(context);
  calls?.get(callId)?.();
  calls?.delete(callId);
}
