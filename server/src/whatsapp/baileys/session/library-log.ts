import type { Logger } from "pino";
import type { WAMessageKey } from "../library.ts";

/** What Baileys says to its logger and we must hear: a message was not decrypted, and why. */
const FAILED = "failed to decrypt message";
const USED_KEY = "Key used already or never filled";

export interface DecryptFailure {
  readonly key: WAMessageKey;
  /** The stanza came a second time, or its message is lost: Baileys refuses it with 487 and raises no event. */
  readonly isUsedKey: boolean;
}

interface Details {
  readonly key?: WAMessageKey;
  readonly err?: { readonly message?: string };
}

/**
 * The logger that Baileys gets. Its objects hold message texts and keys, so only its words are passed on, and nothing
 * is serialised for levels that nobody reads.
 */
export function libraryLog(log: Logger, onDecryptFailure: (failure: DecryptFailure) => void) {
  const quiet = () => undefined;
  const logger = {
    level: "warn",
    child: () => logger,
    trace: quiet,
    debug: quiet,
    info: quiet,
    warn(_details: unknown, words?: string) {
      log.debug({ words: words ?? "" }, "library warns");
    },
    error(details: unknown, words?: string) {
      const { key, err } = (details ?? {}) as Details;
      if (key && words === FAILED) {
        onDecryptFailure({ key, isUsedKey: err?.message === USED_KEY });
      }
      log.debug({ words: words ?? "", cause: err?.message }, "library fails");
    },
  };
  return logger;
}
