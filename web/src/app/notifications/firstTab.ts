/** Elects one of several tabs of a browser to notify. */

/** Longer than one packet needs to reach all tabs (ms). */
const HELD_MS = 3_000;

/**
 * True in the first tab that asks for this name. A tab in which the conversation is visible asks too and then does not
 * notify, so that the others stay silent.
 */
export async function isFirstTab(name: string): Promise<boolean> {
  const locks = (navigator as { readonly locks?: LockManager }).locks;
  if (!locks) {
    return true;
  }
  return new Promise((resolve) => {
    void locks.request(`prosa.ring.${name}`, { ifAvailable: true }, async (lock) => {
      resolve(lock !== null);
      if (lock) {
        await new Promise((release) => setTimeout(release, HELD_MS));
      }
    });
  });
}
