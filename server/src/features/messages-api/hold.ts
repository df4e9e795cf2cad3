import type { ApiHold } from "./messages-api.queries.ts";

/** Rolls back what was prepared for a message that must wait: a ticket that nothing is said on yet. */
export class Held extends Error {
  override readonly name = "Held";
  readonly hold: ApiHold;

  constructor(hold: ApiHold) {
    super(`held: ${hold.reason}`);
    this.hold = hold;
  }
}
