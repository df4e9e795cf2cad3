import { node } from "../protocol/index.ts";
import { AppState } from "./app-state.ts";
import type { Companion } from "./companion.ts";
import { Limits } from "./limits.ts";
import { User } from "./user.ts";
import type { Addressing } from "./user.ts";

export type Kick =
  | "drop"
  | "closeFrame"
  | "silence"
  | "replaced"
  | "loggedOut"
  | "restart"
  | "streamEnd"
  | { failure: 401 | 403 | 405 | 500 | 503 }
  | { streamError: 500 | 503 };

export interface DeviceView {
  device: number;
  state: "connected" | "offline";
  platform: string;
  /** Stanzas that it has not confirmed. */
  pending: number;
}

/** The WhatsApp account of a line: the primary device (the owner's phone) and the companions that are linked to it. */
export class LineAccount extends User {
  /** The next logins are refused with this code. */
  loginFailure: number | undefined;
  /** App state that its linked devices sync (read marks of chats); not kept over a restart. */
  readonly appState = new AppState();
  /** Limits on starting conversations. */
  readonly limits = new Limits(this.context, this.number, () => this.companions());
  #nextDevice = 1;
  readonly #companions: Companion[] = [];

  companions(): readonly Companion[] {
    return this.#companions;
  }

  companion(device: number): Companion | undefined {
    return this.#companions.find(({ record }) => record.device === device);
  }

  devices(): DeviceView[] {
    return this.#companions.map(({ record, state, pending }) => ({
      device: record.device,
      state,
      platform: record.platform,
      pending: pending.size,
    }));
  }

  /** The phone's address as a contact with this addressing sees it. */
  jidFor(addressing: Addressing): string {
    return addressing === "lid" ? this.lidJid : this.pn;
  }

  /** Unlinks a companion, or all: online ones are disconnected with 401, offline ones get it at their next login. */
  unlink(device?: number): void {
    for (const companion of this.#companions.filter(({ record }) => device === undefined || record.device === device)) {
      this.forget(companion);
      const conflict = node("conflict", { type: "device_removed" });
      companion.connection?.closeWith(node("stream:error", { code: 401 }, [conflict]));
    }
  }

  /** Ends the companions' connections in one of the ways in which WhatsApp does. */
  kick(how: Kick, device?: number): void {
    if (how === "loggedOut") {
      this.unlink(device);
      return;
    }
    for (const { connection, record } of this.#companions) {
      if (!connection || (device !== undefined && record.device !== device)) {
        continue;
      }
      if (how === "drop") {
        connection.drop();
      } else if (how === "closeFrame") {
        connection.close();
      } else if (how === "silence") {
        connection.isSilent = true;
      } else if (how === "replaced") {
        connection.closeWith(node("stream:error", {}, [node("conflict", { type: "replaced" })]));
      } else if (how === "restart") {
        connection.closeWith(node("stream:error", { code: 515 }));
      } else if (how === "streamEnd") {
        connection.closeWith(node("xmlstreamend"));
      } else if ("failure" in how) {
        connection.closeWith(node("failure", { reason: how.failure }));
      } else {
        connection.closeWith(node("stream:error", { code: how.streamError }));
      }
    }
  }

  allocateDeviceNumber(): number {
    return this.#nextDevice++;
  }

  link(companion: Companion): void {
    this.#companions.push(companion);
    this.#nextDevice = Math.max(this.#nextDevice, companion.record.device + 1);
  }

  forget(companion: Companion): void {
    const index = this.#companions.indexOf(companion);
    if (index < 0) {
      return;
    }
    this.#companions.splice(index, 1);
    const { journal } = this.context;
    journal.remove(`companion/${companion.id}`);
    for (const kind of ["stanza", "prekey"]) {
      for (const [name] of [...journal.entriesWithPrefix(`${kind}/${companion.id}/`)]) {
        journal.remove(name);
      }
    }
    journal.flush();
  }
}
