import type { Ctx } from "./ctx.ts";

/** A person whose data is erased: how rows and texts refer to them. */
export interface DataSubject {
  readonly contactId: number;
  /** Digits with country code, in every spelling that is known. */
  readonly numbers: readonly string[];
  /** WhatsApp's other identifiers of the person, without a server. */
  readonly lids: readonly string[];
  /** In lower case; none is empty. */
  readonly emails: readonly string[];
}

export interface ErasedBatch {
  /** How many rows were erased or emptied. Fewer than `limit`: nothing is left. */
  readonly rows: number;
  /** Storage keys that no row refers to any more: deleted after the commit. */
  readonly files?: readonly string[];
}

/** What a feature keeps of a person, declared by the feature that writes it, so that a privacy erasure reaches it (V-02). */
export interface PersonalDataOwner {
  /** Unique; steps run in the order of the features, lowest first, unless `isLast`. */
  readonly name: string;
  /**
   * Erases up to `limit` rows in this transaction. Called until less than that is left, again from the beginning after a kill, so
   * a repeated call must do no harm.
   */
  erase(ctx: Ctx, subject: DataSubject, limit: number): Promise<ErasedBatch>;
  /** After everything that refers to the contact: the contact itself. */
  readonly isLast?: true;
}

/** All words that betray the person in a text. */
export function wordsOf({ numbers, lids, emails }: DataSubject): string[] {
  return [...numbers, ...lids, ...emails];
}
