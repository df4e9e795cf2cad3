/**
 * Runs requests in one transaction of IndexedDB and waits until it is committed. That a write's request succeeded is not enough: where
 * the disk is full, the commit fails afterwards (QuotaExceededError) and undoes it.
 */
export async function inTransaction<T>(
  database: IDBDatabase,
  stores: string | readonly string[],
  mode: IDBTransactionMode,
  work: (transaction: IDBTransaction) => Promise<T>,
): Promise<T> {
  const transaction = database.transaction(stores, mode);
  const [answer] = await Promise.all([work(transaction), committed(transaction)]);
  return answer;
}

/** What a request inside a transaction answered. */
export function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(new Error("IndexedDB could not be read or written", { cause: request.error }));
  });
}

function committed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(new Error("IndexedDB kept nothing", { cause: transaction.error }));
  });
}
