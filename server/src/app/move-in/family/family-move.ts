import type { MoveScope } from "../move.ts";
import type { Family } from "./family.queries.ts";
import type { FamilyMedia } from "./family-media.ts";

export interface FamilyMove {
  readonly family: Family;
  /** Rows of the installation: plans, companies, users. */
  readonly machinery: MoveScope;
  readonly report: MoveScope["report"];
  readonly media: FamilyMedia;
}

/** The move of one company. */
export interface CompanyMove extends MoveScope, FamilyMove {
  readonly companyId: number;
  /** Its id in the source; null where that knows no companies. */
  readonly oldCompanyId: number | null;
  /** The conversations that moved, by their new ids. */
  readonly chats: Map<number, Chat>;
  /** New ids of the contacts that are groups: not every version says so of their tickets. */
  readonly groups: Set<number>;
}

export interface Chat {
  readonly contactId: number;
  readonly connectionId: number | null;
  readonly isGroup: boolean;
  readonly isClosed: boolean;
}
