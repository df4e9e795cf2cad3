import { once } from "node:events";
import { get } from "node:http";
import type { IncomingMessage } from "node:http";
import type { Withheld } from "../delivery/index.ts";
import type { Content, MessageView } from "../messages/index.ts";
import type { Kick } from "../network/index.ts";
import type { Refusal } from "../sim.ts";
import { fromJson, toJson } from "../storage/index.ts";
import type { FaultSettings, Input, MessageFilter, Output, PersonView, PhoneView, Verb } from "./verbs.ts";

/** Client of the control API: drives a server in another process with the verbs of WaSim. */
export class WaSimClient {
  readonly #url: string;
  readonly #headers: Record<string, string>;

  /** The control API's address, and the token with which the server was started. */
  constructor(url: string, token: string) {
    this.#url = url;
    this.#headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  }

  /** Calls a verb by name. Rejects with the server's error message. */
  async call<V extends Verb>(verb: V, input: Input<V>): Promise<Output<V>> {
    const response = await fetch(`${this.#url}/${verb}`, {
      method: "POST",
      headers: this.#headers,
      body: toJson(input),
    });
    const body = fromJson(await response.text()) as { result: Output<V> } | { error: string };
    if ("error" in body) {
      throw new Error(body.error);
    }
    return body.result;
  }

  addresses(): Promise<Output<"addresses">> {
    return this.call("addresses", {});
  }

  async phone(number: string, options: { name?: string } = {}): Promise<RemotePhone> {
    return new RemotePhone(this, await this.call("phone", { number, ...options }));
  }

  async person(number: string, options: Omit<Input<"person">, "number"> = {}): Promise<RemotePerson> {
    return new RemotePerson(this, await this.call("person", { number, ...options }));
  }

  group(about: Input<"group">): Promise<Output<"group">> {
    return this.call("group", about);
  }

  faults(settings: FaultSettings = {}): Promise<FaultSettings> {
    return this.call("faults", settings);
  }

  clearFaults(): Promise<void> {
    return this.call("clearFaults", {});
  }

  refuseConnections(value: Refusal): Promise<void> {
    return this.call("refuseConnections", { value });
  }

  stats(): Promise<Output<"stats">> {
    return this.call("stats", {});
  }

  /** Messages that persons receive from now on, or after the event with this number. Ends when the signal aborts. */
  async *messages(
    options: { after?: number; signal?: AbortSignal } = {},
  ): AsyncGenerator<MessageView & { event: number }> {
    const headers =
      options.after === undefined ? this.#headers : { ...this.#headers, "last-event-id": String(options.after) };
    // Not fetch, whose timers of a stream that may be silent for hours wake an idle process twice a second.
    const request = get(`${this.#url}/events`, { headers, ...(options.signal && { signal: options.signal }) });
    const [response] = (await once(request, "response")) as [IncomingMessage];
    if (response.statusCode !== 200) {
      response.destroy();
      throw new Error(`no events: ${response.statusCode}`);
    }
    let text = "";
    for await (const chunk of response.setEncoding("utf8")) {
      text += chunk;
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        yield readEvent(text.slice(0, end));
        text = text.slice(end + 2);
      }
    }
  }
}

function readEvent(block: string): MessageView & { event: number } {
  const [, number, json = "{}"] = /^id: (\d+)\ndata: (.*)$/s.exec(block) ?? [];
  return { ...(fromJson(json) as MessageView), event: Number(number) };
}

export class RemotePhone {
  readonly number: string;
  readonly lid: string;
  readonly name: string;
  readonly #client: WaSimClient;

  constructor(client: WaSimClient, { number, lid, name }: PhoneView) {
    this.#client = client;
    this.number = number;
    this.lid = lid;
    this.name = name;
  }

  async devices(): Promise<PhoneView["devices"]> {
    return (await this.#client.call("phone", { number: this.number })).devices;
  }

  scan(qr: string): Promise<{ device: number }> {
    return this.#client.call("scan", { number: this.number, qr });
  }

  enterPairingCode(code: string): Promise<{ device: number }> {
    return this.#client.call("enterPairingCode", { number: this.number, code });
  }

  reads(from: string, ids: string[], options: { isSilent?: boolean } = {}): Promise<void> {
    return this.#client.call("readsOnPhone", { number: this.number, from, ids, ...options });
  }

  notes(text: string): Promise<{ id: string }> {
    return this.#client.call("notes", { number: this.number, text });
  }

  sends(to: string, content: Content, options: { id?: string } = {}): Promise<{ id: string }> {
    return this.#client.call("sends", { number: this.number, to, content, ...options });
  }

  unlink(device?: number): Promise<void> {
    return this.#client.call("unlink", { number: this.number, ...(device === undefined ? {} : { device }) });
  }

  kick(how: Kick): Promise<void> {
    return this.#client.call("kick", { number: this.number, how });
  }

  refuseLogin(code: number | null): Promise<void> {
    return this.#client.call("refuseLogin", { number: this.number, code });
  }

  restrict(how: Omit<Input<"restrict">, "number"> = {}): Promise<void> {
    return this.#client.call("restrict", { number: this.number, ...how });
  }

  capNewChats(cap: Omit<Input<"capNewChats">, "number">): Promise<void> {
    return this.#client.call("capNewChats", { number: this.number, ...cap });
  }

  lift(): Promise<void> {
    return this.#client.call("lift", { number: this.number });
  }

  /** Waits until every device has confirmed all stanzas. */
  settled(options: { timeoutMs?: number } = {}): Promise<void> {
    return this.#client.call("settled", { number: this.number, ...options });
  }
}

export class RemotePerson {
  readonly number: string;
  readonly lid: string;
  readonly name: string;
  readonly #client: WaSimClient;

  constructor(client: WaSimClient, { number, lid, name }: PersonView) {
    this.#client = client;
    this.number = number;
    this.lid = lid;
    this.name = name;
  }

  /** Sends to a line by its number, or to a group by its id. */
  sends(to: string, content: Content, options: { id?: string } = {}): Promise<{ id: string }> {
    return this.#client.call("says", { number: this.number, to, content, ...options });
  }

  withholds(to: string, what: Withheld, options: { id?: string; ageSeconds?: number } = {}): Promise<{ id: string }> {
    return this.#client.call("withholds", { number: this.number, to, what, ...options });
  }

  inbox(from?: string): Promise<MessageView[]> {
    return this.#client.call("inbox", { number: this.number, ...(from === undefined ? {} : { from }) });
  }

  chat(line?: string): Promise<MessageView[]> {
    return this.#client.call("chat", { number: this.number, ...(line === undefined ? {} : { line }) });
  }

  message(id: string): Promise<MessageView | null> {
    return this.#client.call("message", { number: this.number, id });
  }

  receives(wanted: MessageFilter, options: { timeoutMs?: number } = {}): Promise<MessageView> {
    return this.#client.call("receives", { number: this.number, wanted, ...options });
  }

  async download(id: string): Promise<Uint8Array> {
    return (await this.#client.call("download", { number: this.number, id })).bytes;
  }

  reads(from: string, ids?: string[]): Promise<void> {
    return this.#client.call("reads", { number: this.number, from, ...(ids ? { ids } : {}) });
  }

  plays(ids: string[]): Promise<void> {
    return this.#client.call("plays", { number: this.number, ids });
  }

  types(to: string, isTyping = true): Promise<void> {
    return this.#client.call("types", { number: this.number, to, isTyping });
  }

  setPicture(bytes: Uint8Array | null): Promise<void> {
    return this.#client.call("showPicture", { number: this.number, bytes });
  }

  block(line: string, value = true): Promise<void> {
    return this.#client.call("block", { number: this.number, line, value });
  }

  autoReceipts(value: PersonView["autoReceipts"]): Promise<void> {
    return this.#client.call("autoReceipts", { number: this.number, value });
  }

  async calls(
    to: string,
    options: { video?: boolean } = {},
  ): Promise<{ id: string; rejected: Promise<void>; hangUp: () => Promise<void> }> {
    const { id } = await this.#client.call("calls", { number: this.number, to, ...options });
    const rejected = this.#client.call("rejected", { id });
    rejected.catch(() => undefined); // avoids an unhandled rejection when the server stops
    return { id, rejected, hangUp: () => this.#client.call("hangUp", { id }) };
  }
}
