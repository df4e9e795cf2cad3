import type { Network } from "./network.ts";
import type { Phone } from "./phone.ts";
import type { User } from "./user.ts";
import { node } from "./wire.ts";

export interface Call {
  id: string;
  /** Resolves when the line rejects the call. */
  rejected: Promise<void>;
  /** The caller gives up; the line sees a missed call. */
  hangUp(): void;
}

const ringing = new WeakMap<Network, Map<string, () => void>>();

/** Rings at every device of a line. */
export function placeCall(network: Network, caller: User, phone: Phone, isVideo: boolean): Call {
  const id = network.newId("CALL");
  const about = { "call-id": id, "call-creator": caller.jid };
  const ring = (name: string, attrs: Record<string, string>, content?: ReturnType<typeof node>[]): void => {
    const stanzaId = network.newId("C");
    const envelope = { from: caller.jid, id: stanzaId, t: network.seconds(), notify: caller.name };
    const stanza = node("call", envelope, [node(name, { ...about, caller_pn: caller.pn, ...attrs }, content)]);
    for (const companion of phone.companions()) {
      companion.enqueue({ key: `call:${stanzaId}`, node: stanza });
    }
  };
  const rejected = new Promise<void>((resolve) => {
    const calls = ringing.get(network) ?? new Map<string, () => void>();
    ringing.set(network, calls.set(id, resolve));
  });
  ring("offer", {}, [node("audio", { enc: "opus", rate: 16_000 }), ...(isVideo ? [node("video")] : [])]);
  return {
    id,
    rejected,
    hangUp: () => {
      ringing.get(network)?.delete(id);
      ring("terminate", { reason: "timeout" });
    },
  };
}

/** A line rejected a call. */
export function noteRejection(network: Network, callId: string): void {
  const calls = ringing.get(network);
  calls?.get(callId)?.();
  calls?.delete(callId);
}
