/** Runs work with an open database; rejects where the browser has none, or blocks it. */
type WithDatabase = <T>(work: (database: IDBDatabase) => Promise<T>) => Promise<T>;

/**
 * A database that is opened when it is first needed, and again after it was lost: where it could not be opened, or the browser closed
 * it because the data of its site were cleared or the process that stores them ended. iOS loses the connection of a page in the
 * background without a close event, so the request after one that failed opens another.
 */
export function createDatabase(name: string, createStores: (database: IDBDatabase) => void): WithDatabase {
  let opening: Promise<IDBDatabase> | undefined;

  function open(): Promise<IDBDatabase> {
    return new Promise((resolve, reject) => {
      const request = indexedDB.open(name, 1);
      request.onupgradeneeded = () => createStores(request.result);
      request.onsuccess = () => {
        request.result.onclose = () => (opening = undefined);
        resolve(request.result);
      };
      request.onerror = () => reject(new Error(`The database ${name} could not be opened`, { cause: request.error }));
    });
  }

  return async (work) => {
    try {
      return await work(await (opening ??= open()));
    } catch (error) {
      opening = undefined;
      throw error;
    }
  };
}

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
