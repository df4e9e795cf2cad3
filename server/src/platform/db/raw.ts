/** A named prepared statement: parsed once per connection. The name must be unique for its text. */
export interface Statement<Row> {
  readonly name: string;
  readonly text: string;
  /** Carries the row type only; never set. */
  readonly row?: Row;
}

/** Runs a named prepared statement on the current transaction's connection. */
export type RawQuery = <Row>(statement: Statement<Row>, values: readonly unknown[]) => Promise<Row[]>;
