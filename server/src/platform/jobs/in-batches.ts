/** Collects items while the previous batch is being saved: few statements under load, no delay without load. */
export function inBatches<T>(save: (items: readonly T[]) => Promise<void>): (item: T) => Promise<void> {
  let waiting: T[] = [];
  let next: Promise<void> | undefined;
  let current: Promise<unknown> = Promise.resolve();

  return (item) => {
    waiting.push(item);
    next ??= current
      .catch(() => undefined)
      .then(() => {
        const batch = waiting;
        waiting = [];
        next = undefined;
        const saved = save(batch);
        current = saved;
        return saved;
      });
    return next;
  };
}
