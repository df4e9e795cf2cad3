import type { Logger } from "pino";
import type { WAMessageKey } from "../library.ts";

/** Log messages of Baileys that must be evaluated: a message was not decrypted, and why. No event says so. */
const FAILED = "failed to decrypt message";
const USED_KEY = "Key used already or never filled";

export interface DecryptFailure {
  readonly key: WAMessageKey;
  /** The stanza is a redelivery, or its message is lost: Baileys refuses it with 487 and raises no event. */
  readonly isUsedKey: boolean;
}

interface Details {
  readonly key?: WAMessageKey;
  readonly err?: { readonly message?: string };
}

/**
 * The logger that Baileys gets. Logged objects hold message texts and keys, so only the message is passed on, and
 * nothing is serialised for levels that are off.
 */
export function libraryLog(log: Logger, onDecryptFailure: (failure: DecryptFailure) => void) {
  const quiet = () => undefined;
  const logger = {
    level: "warn",
    child: () => logger,
    trace: quiet,
    debug: quiet,
    info: quiet,
    warn(_details: unknown, message?: string) {
      log.debug({ message: message ?? "" }, "baileys warning");
    },
    error(details: unknown, message?: string) {
      const { key, err } = (details ?? {}) as Details;
      if (key && message === FAILED) {
        onDecryptFailure({ key, isUsedKey: err?.message === USED_KEY });
      }
      log.debug({ message: message ?? "", cause: err?.message }, "baileys error");
    },
  };
  return logger;
}
