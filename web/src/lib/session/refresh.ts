/**
 * Token refresh shared by all calls and tabs.
 *
 * The refresh cookie rotates and its reuse ends the session, so two concurrent refreshes would sign the user out: within a
 * tab they share one promise, between tabs a Web Lock, and the second holder of the lock finds the first one's token.
 */
export interface RefreshParts<S extends { readonly token: string }> {
  /** Requests a new token; undefined when the session is over. Throws when the server cannot be reached. */
  readonly requestToken: () => Promise<S | undefined>;
  readonly readToken: () => string | undefined;
  readonly saveSession: (signedIn: S) => Promise<void>;
  readonly onSessionEnded: () => void;
  readonly withLock: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Resolves with this browser's token after a refresh; of another session where one began meanwhile, undefined where nobody is signed in. */
export type Refresh = (refused: string | undefined) => Promise<string | undefined>;

export function createRefresh<S extends { readonly token: string }>(parts: RefreshParts<S>): Refresh {
  let running: Promise<string | undefined> | undefined;

  async function renew(refused: string | undefined): Promise<string | undefined> {
    return parts.withLock(async () => {
      const asked = parts.readToken();
      if (asked !== refused) {
        return asked;
      }
      const signedIn = await parts.requestToken();
      if (parts.readToken() !== asked) {
        // Meanwhile somebody signed out or in: the answer is for the session that was.
        return parts.readToken();
      }
      if (!signedIn) {
        parts.onSessionEnded();
        return undefined;
      }
      await parts.saveSession(signedIn);
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

/** Runs one at a time over all tabs; only within this tab where the browser has no Web Locks. */
export function withBrowserLock<T>(work: () => Promise<T>): Promise<T> {
  return "locks" in navigator ? navigator.locks.request("prosa.refresh", work) : work();
}
