import pg from "pg";

/** The name of the constraint that a statement broke (unique, foreign key, check); undefined for any other error. */
export function brokenConstraint(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError && error.code?.startsWith("23") ? error.constraint : undefined;
}
