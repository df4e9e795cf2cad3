/** For tests: an IndexedDB whose disk is full. A write's request succeeds, and the commit then undoes it, as in Chrome. */
export function fullDisk(): Pick<IDBFactory, "open"> {
  const database = { transaction: () => transaction(), createObjectStore: () => undefined };
  return { open: () => request(database) } as unknown as Pick<IDBFactory, "open">;
}

function transaction() {
  let pending = 0;
  let hasWritten = false;
  const it = {
    error: null as DOMException | null,
    oncomplete: undefined as (() => void) | undefined,
    onabort: undefined as (() => void) | undefined,
    objectStore: () => store,
  };
  const answer = <T>(result: T) => {
    pending += 1;
    return request(result, () => {
      pending -= 1;
      if (pending === 0 && hasWritten) {
        it.error = new DOMException("The disk is full", "QuotaExceededError");
        it.onabort?.();
      } else if (pending === 0) {
        it.oncomplete?.();
      }
    });
  };
  const store = {
    get: () => answer(undefined),
    getAll: () => answer([]),
    getAllKeys: () => answer([]),
    delete: () => answer(undefined),
    put: () => {
      hasWritten = true;
      return answer(undefined);
    },
    index: () => store,
  };
  return it;
}

/** Succeeds in a task of its own; what follows from that in microtasks may still use the transaction. */
function request<T>(result: T, then: () => void = () => undefined) {
  const it = { result, onsuccess: undefined as (() => void) | undefined };
  setTimeout(() => {
    it.onsuccess?.();
    setTimeout(then);
  });
  return it;
}
