/** Elects one of several tabs of a browser to notify. */

/** Longer than one packet needs to reach all tabs, and than a hidden tab's timer is late (ms). */
const HELD_MS = 3_000;
/** The tab that shows the conversation asks this much earlier than the others (ms): a packet does not reach all at once. */
const AFTER_VISIBLE_MS = 250;

/**
 * True in the first tab that asks for this name. A tab in which the conversation is visible asks too, before the others, and then
 * does not notify, so that they stay silent.
 */
export async function isFirstTab(name: string, isVisible: boolean): Promise<boolean> {
  const locks = (navigator as { readonly locks?: LockManager }).locks;
  if (!locks) {
    return true;
  }
  if (!isVisible) {
    await new Promise((resolve) => setTimeout(resolve, AFTER_VISIBLE_MS));
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
