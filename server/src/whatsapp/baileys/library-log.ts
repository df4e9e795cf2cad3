import type { Logger } from "pino";
import type { WAMessageKey } from "./library.ts";

/** What Baileys says to its logger and we must hear: decrypting failed because the key is used already. */
const USED_KEY = "Key used already or never filled";

interface DecryptFailure {
  readonly key?: WAMessageKey;
  readonly err?: { readonly message?: string };
}

/**
 * The logger that Baileys gets. Its objects hold message texts and keys, so only its words are passed on, and nothing
 * is serialised for levels that nobody reads. `onUsedKey` hears of a stanza that came a second time, or whose message
 * is lost: Baileys refuses it with 487 and raises no event.
 */
export function libraryLog(log: Logger, onUsedKey: (key: WAMessageKey) => void) {
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
      const { key, err } = (details ?? {}) as DecryptFailure;
      if (key && err?.message === USED_KEY) {
        onUsedKey(key);
      }
      log.debug({ words: words ?? "", cause: err?.message }, "library fails");
    },
  };
  return logger;
}
