/** Of several windows of one browser, one rings. */

/** Longer than the same packet needs to reach all of them. */
const HELD_MS = 3_000;

/**
 * True in the first window that asks for this name. A window where the conversation is before the person's eyes asks
 * too, and then rings nothing: so the others keep silent.
 */
export async function isFirstToSay(name: string): Promise<boolean> {
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
