/**
 * How do several calls, in several tabs, renew one token?
 *
 * The refresh cookie rotates and its reuse ends the session, so two refreshes at once would sign the person out: within a
 * tab they share one promise, between tabs a Web Lock, and whoever gets the lock second finds the first one's token.
 */
export interface RefreshParts<S extends { readonly token: string }> {
  /** Asks the server; undefined when it says that the session is over. Throws when it cannot be reached. */
  readonly ask: () => Promise<S | undefined>;
  readonly stored: () => string | undefined;
  readonly keep: (signedIn: S) => void;
  readonly over: () => void;
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
}

export type Refresh = (refused: string | undefined) => Promise<string | undefined>;

export function createRefresh<S extends { readonly token: string }>(parts: RefreshParts<S>): Refresh {
  let running: Promise<string | undefined> | undefined;

  async function renew(refused: string | undefined): Promise<string | undefined> {
    return parts.alone(async () => {
      const other = parts.stored();
      if (other && other !== refused) {
        return other;
      }
      const signedIn = await parts.ask();
      if (!signedIn) {
        parts.over();
        return undefined;
      }
      parts.keep(signedIn);
      return signedIn.token;
    });
  }

  return (refused) => {
    running ??= renew(refused).finally(() => {
      running = undefined;
    });
    return running;
  };
}

/** One at a time over all tabs; only within this one where the browser has no locks. */
export function aloneInBrowser<T>(work: () => Promise<T>): Promise<T> {
  return "locks" in navigator ? navigator.locks.request("prosa.refresh", work) : work();
}
