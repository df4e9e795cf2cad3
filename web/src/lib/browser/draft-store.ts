/** What is written and not sent: a reply to a contact, a note for the team, a message to colleagues, an edit. */
export type DraftKind = "ticket" | "note" | "chat" | "edit";

export interface Draft {
  readonly text: string;
  /** How many files are chosen with it; the files are kept elsewhere. */
  readonly files: number;
  /** The message that the reply answers, by its id alone: its words stay with the kept conversations, which are sealed. */
  readonly quotedMsgId?: number | undefined;
  /** The sent message that is edited instead; its new text is a draft of its own. */
  readonly editedMsgId?: number | undefined;
}

const none: Draft = { text: "", files: 0 };
const prefix = "prosa.draft.";
const KEEP_MS = 30 * 24 * 3_600_000;

/** Drafts in a storage of texts, with a copy in memory where the storage is full or forbidden. */
export function createDrafts(parts: {
  /** Throws where the browser forbids it. */
  readonly storage: () => Storage;
  readonly userId: () => number;
  readonly now: () => number;
}) {
  const known = new Map<string, Draft>();
  const listeners = new Map<string, Set<() => void>>();
  const keyOf = (kind: DraftKind, id: number) => `${prefix}${parts.userId()}.${kind}.${id}`;
  const tell = (key: string) => listeners.get(key)?.forEach((listener) => listener());

  const load = (key: string): Draft => {
    try {
      return parse(parts.storage().getItem(key), parts.now());
    } catch {
      return none;
    }
  };
  const save = (key: string, draft: Draft) => {
    try {
      if (draft === none) {
        parts.storage().removeItem(key);
      } else {
        parts.storage().setItem(key, JSON.stringify({ ...draft, at: parts.now() }));
      }
    } catch {
      // it lives as long as the tab
    }
  };
  const keysIn = (start: string): string[] => {
    try {
      return Object.keys(parts.storage()).filter((key) => key.startsWith(start));
    } catch {
      return [];
    }
  };
  const forget = (keys: readonly string[]) =>
    keys.forEach((key) => {
      save(key, none);
      known.delete(key);
      tell(key);
    });
  const read = (kind: DraftKind, id: number): Draft => {
    const key = keyOf(kind, id);
    const draft = known.get(key) ?? load(key);
    known.set(key, draft);
    return draft;
  };

  const write = (kind: DraftKind, id: number, change: Partial<Draft>): void => {
    const next = { ...read(kind, id), ...change };
    const draft = isEmpty(next) ? none : next;
    const key = keyOf(kind, id);
    known.set(key, draft);
    save(key, draft);
    tell(key);
  };

  return {
    read,
    /** Without text, files and a message that it refers to the draft is gone. */
    write,
    /** Takes a text that was stored out of the draft. What was typed after it meanwhile stays, as the next one; returns it. */
    takeStored(kind: DraftKind, id: number, stored: string): string {
      const { text: typed } = read(kind, id);
      const text = typed.startsWith(stored) ? typed.slice(stored.length).trimStart() : typed;
      write(kind, id, { text });
      return text;
    },
    subscribe(kind: DraftKind, id: number, listener: () => void): () => void {
      const key = keyOf(kind, id);
      const those = listeners.get(key) ?? new Set();
      listeners.set(key, those.add(listener));
      return () => void (those.delete(listener) && those.size === 0 && listeners.delete(key));
    },
    /** Another tab changed the storage: the draft that was sent there is gone here too. Null: everything changed. */
    onOtherTab(key: string | null): void {
      const changed = key === null ? [...known.keys()] : [key];
      changed.forEach((one) => known.delete(one) && tell(one));
    },
    /** Forgets a user's drafts. */
    clear(userId: number): void {
      const mine = `${prefix}${userId}.`;
      forget([...new Set([...keysIn(mine), ...[...known.keys()].filter((key) => key.startsWith(mine))])]);
    },
    /** Forgets what nobody touched for 30 days, whoever wrote it. Drafts of the first release have no user: they go too. */
    sweep(): void {
      forget(keysIn(prefix).filter((key) => load(key) === none));
    },
  };
}

function parse(stored: string | null, now: number): Draft {
  const value: unknown = JSON.parse(stored ?? "null");
  if (typeof value !== "object" || value === null || !("at" in value) || typeof value.at !== "number") {
    return none;
  }
  const { text, files, quotedMsgId, editedMsgId } = value as Readonly<Record<string, unknown>>;
  const draft: Draft = {
    text: typeof text === "string" ? text : "",
    files: numberOf(files) ?? 0,
    quotedMsgId: numberOf(quotedMsgId),
    editedMsgId: numberOf(editedMsgId),
  };
  return now - value.at > KEEP_MS || isEmpty(draft) ? none : draft;
}

function isEmpty({ text, files, quotedMsgId, editedMsgId }: Draft): boolean {
  return !text && !files && !quotedMsgId && !editedMsgId;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
