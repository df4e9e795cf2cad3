/**
 * The files chosen for a reply, in IndexedDB: like the text they survive switching conversations and a reload. By user and
 * ticket, for a week, at most 200 MB in all; gone when they are sent and when the user signs out.
 */
import { drafts } from "#web/lib/browser/drafts.ts";
import { whenIdle } from "#web/lib/browser/idle.ts";
import { answerOf, createDatabase, inTransaction } from "#web/lib/browser/indexed-db.ts";
import { isLeavingAtOnce } from "#web/lib/routing/router.tsx";
import { currentSession, onSignedOut } from "#web/lib/session/session.ts";

/** What is kept of an attachment; its preview is made anew. */
export interface KeptFile {
  readonly id: string;
  readonly file: File;
  readonly caption: string;
}

interface StoredDraft {
  readonly key: string;
  readonly userId: number;
  readonly at: number;
  readonly bytes: number;
  /** In the order of the tray; the files themselves are in their own store, so that a caption does not write them again. */
  readonly files: readonly { readonly id: string; readonly caption: string }[];
}

interface StoredFile {
  readonly id: string;
  readonly key: string;
  readonly file: File;
}

const KEEP_MS = 7 * 24 * 3_600_000;
const MAX_BYTES = 200 * 1024 * 1024;

/** What the browser would not keep: it lives as long as the tab, and the browser asks before the tab is closed. */
const unkept = new Map<string, readonly KeptFile[]>();

const channel = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel("prosa.draftFiles");
const listeners = new Map<string, Set<() => void>>();

/** The kept files; the draft then says how many there are. */
export async function loadFiles(ticketId: number): Promise<readonly KeptFile[]> {
  const files = await rereadFiles(ticketId);
  if (files.length !== drafts.read("ticket", ticketId).files) {
    drafts.write("ticket", ticketId, { files: files.length });
  }
  return files;
}

/**
 * The kept files after another tab changed them. That tab writes the draft as well, and its text may be told of later than its
 * files: written from here, a text that was just sent would come back.
 */
export function rereadFiles(ticketId: number): Promise<readonly KeptFile[]> {
  return findFiles(keyOf(ticketId));
}

async function findFiles(key: string): Promise<readonly KeptFile[]> {
  const inMemory = unkept.get(key);
  if (inMemory) {
    return inMemory;
  }
  return inStores("readonly", (stores) => readFiles(stores, key)).catch(() => []);
}

async function readFiles(stores: Stores, key: string): Promise<readonly KeptFile[]> {
  const draft = await answerOf<StoredDraft | undefined>(stores.drafts.get(key));
  if (!draft || draft.at < Date.now() - KEEP_MS) {
    return [];
  }
  const stored = await answerOf<StoredFile[]>(stores.files.index("key").getAll(key));
  const byId = new Map(stored.map(({ id, file }) => [id, file]));
  return draft.files.flatMap(({ id, caption }) => {
    const file = byId.get(id);
    return file ? [{ id, file, caption }] : [];
  });
}

/** Keeps these files instead of those before; none forgets them. */
export async function saveFiles(ticketId: number, files: readonly KeptFile[]): Promise<void> {
  const key = keyOf(ticketId);
  drafts.write("ticket", ticketId, { files: files.length });
  try {
    if (await inStores("readwrite", (stores) => store(stores, key, files))) {
      unkept.delete(key);
    } else {
      unkept.set(key, files);
    }
  } catch {
    // forbidden, or the disk is full
    if (files.length > 0) {
      unkept.set(key, files);
    } else {
      unkept.delete(key);
    }
  }
  warnBeforeClosing();
  channel?.postMessage(key);
}

/** Calls back when another tab changed the files of this ticket. */
export function onFilesChanged(ticketId: number, listener: () => void): () => void {
  const key = keyOf(ticketId);
  const those = listeners.get(key) ?? new Set();
  listeners.set(key, those.add(listener));
  return () => void those.delete(listener);
}

/** Forgets what is older than a week. */
function sweepFiles(): Promise<void> {
  return removeWhere(({ at }) => at < Date.now() - KEEP_MS);
}

whenIdle(() => void sweepFiles().catch(() => undefined));

channel?.addEventListener("message", ({ data }: MessageEvent<string>) => {
  unkept.delete(data);
  listeners.get(data)?.forEach((listener) => listener());
});

onSignedOut((isChosen, userId) => {
  unkept.clear();
  warnBeforeClosing();
  if (isChosen && userId !== undefined) {
    void removeWhere((draft) => draft.userId === userId).catch(() => undefined);
  }
});

/** False where they are more than is kept. */
async function store(stores: Stores, key: string, files: readonly KeptFile[]): Promise<boolean> {
  const others = await answerOf<StoredDraft[]>(stores.drafts.getAll());
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  const used = others.reduce((sum, other) => sum + (other.key === key ? 0 : other.bytes), 0);
  const known = new Set(await answerOf(stores.files.index("key").getAllKeys(key)));
  const isKept = files.length > 0 && used + bytes <= MAX_BYTES;

  const wanted = new Set<IDBValidKey>(isKept ? files.map(({ id }) => id) : []);
  await Promise.all([...known].filter((id) => !wanted.has(id)).map((id) => answerOf(stores.files.delete(id))));
  if (!isKept) {
    await answerOf(stores.drafts.delete(key));
    return files.length === 0;
  }
  const added = files.filter(({ id }) => !known.has(id));
  await Promise.all(added.map(({ id, file }) => answerOf(stores.files.put({ id, key, file } satisfies StoredFile))));
  const draft: StoredDraft = {
    key,
    userId: currentUserId(),
    at: Date.now(),
    bytes,
    files: files.map(({ id, caption }) => ({ id, caption })),
  };
  await answerOf(stores.drafts.put(draft));
  return true;
}

async function removeWhere(isGone: (draft: StoredDraft) => boolean): Promise<void> {
  await inStores("readwrite", async (stores) => {
    const all = await answerOf<StoredDraft[]>(stores.drafts.getAll());
    await Promise.all(all.filter(isGone).map(({ key }) => remove(stores, key)));
  });
}

async function remove(stores: Stores, key: string): Promise<void> {
  await answerOf(stores.drafts.delete(key));
  const ids = await answerOf(stores.files.index("key").getAllKeys(key));
  await Promise.all(ids.map((id) => answerOf(stores.files.delete(id))));
}

function keyOf(ticketId: number): string {
  return `${currentUserId()}.${ticketId}`;
}

function currentUserId(): number {
  const session = currentSession();
  return session.state === "in" ? session.user.id : 0;
}

/** The browser asks before the tab is closed only where something would be lost. */
function warnBeforeClosing(): void {
  window.removeEventListener("beforeunload", keepOpen);
  if ([...unkept.values()].some((files) => files.length > 0)) {
    window.addEventListener("beforeunload", keepOpen);
  }
}

function keepOpen(event: BeforeUnloadEvent): void {
  if (!isLeavingAtOnce()) {
    event.preventDefault();
  }
}

interface Stores {
  readonly drafts: IDBObjectStore;
  readonly files: IDBObjectStore;
}

const withDatabase = createDatabase("prosa.drafts", (database) => {
  database.createObjectStore("drafts", { keyPath: "key" });
  database.createObjectStore("files", { keyPath: "id" }).createIndex("key", "key");
});

/** Runs the work in one transaction over both stores. */
function inStores<T>(mode: IDBTransactionMode, work: (stores: Stores) => Promise<T>): Promise<T> {
  return withDatabase((database) =>
    inTransaction(database, ["drafts", "files"], mode, (transaction) =>
      work({ drafts: transaction.objectStore("drafts"), files: transaction.objectStore("files") }),
    ),
  );
}
