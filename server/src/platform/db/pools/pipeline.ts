import pg from "pg";
import { runStatement } from "./run-statement.ts";
import { typeParsers } from "./type-parsers.ts";

/** A transaction that PostgreSQL sees as one pipeline: no BEGIN, no COMMIT (decision 0196). */
export interface Pipeline {
  /** Runs a statement. Its rows come before the transaction ends, after one turn of the event loop's writes. */
  query(config: pg.QueryConfig): Promise<pg.QueryResult>;
  /** Ends the transaction with Sync: it is committed when this resolves. Rejects with the first error of the statements, or of the commit. */
  commit(): Promise<void>;
  /** Ends the transaction without saving anything, also after a commit that failed. Rejects where the connection is lost. */
  rollback(): Promise<void>;
}

/** What `pg` gives the query that its connection is busy with; not in its published types. */
interface Wire {
  parse(statement: { readonly name: string | undefined; readonly text: string }): void;
  bind(portal: { readonly statement: string | undefined; readonly values: readonly unknown[] }): void;
  describe(portal: { readonly type: "P" }): void;
  execute(portal: object): void;
  query(text: string): void;
  flush(): void;
  sync(): void;
  /** Texts of the named statements that PostgreSQL has parsed, and of those that are on their way. */
  readonly parsedStatements: Record<string, string>;
  readonly submittedNamedStatements: Record<string, string>;
}

interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

interface Column {
  readonly name: string;
  readonly parse: (text: string) => unknown;
}

interface InFlight {
  readonly name: string | undefined;
  readonly text: string;
  /** Undefined until PostgreSQL has described them. */
  columns: readonly Column[] | undefined;
  readonly rows: Record<string, unknown>[];
  /** A value could not be parsed. */
  parseError?: unknown;
  readonly resolve: (result: pg.QueryResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Columns of named statements: they are the same for as long as the connection lives, so they are described once. */
const columnsOf = new WeakMap<Wire, Map<string, readonly Column[]>>();

const { prepareValue } = (pg as unknown as { readonly utils: { prepareValue(value: unknown): unknown } }).utils;

/** Turns an implicit transaction into an explicit one and ends it: a lone ROLLBACK does so too, but logs a warning. */
const ROLL_BACK = "BEGIN; ROLLBACK";
/** Is answered when the connection is free again. */
const NOTHING: pg.QueryConfig = { text: "" };

/**
 * Opens an implicit transaction on a connection that nobody else uses. PostgreSQL runs the statements of a pipeline in one
 * transaction, which lasts until Sync: committed if none of them failed. Flush brings the answers before that.
 */
export function openPipeline(client: pg.ClientBase): Pipeline {
  const inFlight: InFlight[] = [];
  const ended = Promise.withResolvers<void>();
  // Whoever awaits neither commit nor rollback has the error of a statement.
  ended.promise.catch(() => undefined);
  let wire: Wire | undefined;
  let known = new Map<string, readonly Column[]>();
  let failure: Error | undefined;
  let isEnding = false;
  let isFlushScheduled = false;

  const handlers = {
    submit(connection: unknown) {
      wire = connection as Wire;
      known = columnsOf.get(wire) ?? known;
      columnsOf.set(wire, known);
      return null;
    },
    handleRowDescription({ fields }: { readonly fields: readonly Field[] }) {
      describeHead(
        fields.map(({ name, dataTypeID }) => ({ name, parse: typeParsers.getTypeParser(dataTypeID, "text") })),
      );
    },
    handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }) {
      const [head] = inFlight;
      if (!head) {
        return;
      }
      try {
        head.rows.push(rowOf(head.columns ?? [], fields));
      } catch (error) {
        head.parseError = error;
      }
    },
    handleCommandComplete({ text }: { readonly text: string }) {
      const [head] = inFlight;
      if (!head) {
        return; // of ROLL_BACK
      }
      if (head.columns === undefined) {
        describeHead([]);
      }
      inFlight.shift();
      watchHead();
      if (head.parseError === undefined) {
        const [command = "", ...counts] = text.split(" ");
        head.resolve({ command, rowCount: Number(counts.at(-1) ?? 0), rows: head.rows, fields: [], oid: 0 });
      } else {
        head.reject(head.parseError);
      }
    },
    handleEmptyQuery() {},
    handleReadyForQuery() {
      ended.resolve();
    },
    /** PostgreSQL refused a statement or the commit, or the connection is lost: what follows is not run. */
    handleError(error: Error) {
      failure ??= error;
      for (const { name, reject } of inFlight.splice(0)) {
        if (name !== undefined) {
          delete wire?.submittedNamedStatements[name];
        }
        reject(failure);
      }
      ended.reject(failure);
    },
  };
  const exchange = Object.assign(new pg.Query({ text: "" }), handlers);

  /** `pg` notes the statement that was parsed by the name and text of the query that it is busy with. */
  function watchHead(): void {
    Object.assign(exchange, { name: inFlight[0]?.name, text: inFlight[0]?.text });
  }

  function describeHead(columns: readonly Column[]): void {
    const [head] = inFlight;
    if (head) {
      head.columns = columns;
      if (head.name !== undefined) {
        known.set(head.name, columns);
      }
    }
  }

  function write(connection: Wire, { name, text, columns }: InFlight, values: readonly unknown[]): void {
    const parsed =
      name === undefined ? undefined : (connection.parsedStatements[name] ?? connection.submittedNamedStatements[name]);
    if (parsed === undefined) {
      connection.parse({ name, text });
      if (name !== undefined) {
        connection.submittedNamedStatements[name] = text;
      }
    } else if (parsed !== text) {
      throw new Error(`The statement "${name}" has another text on this connection`);
    }
    connection.bind({ statement: name, values });
    if (columns === undefined) {
      connection.describe({ type: "P" });
    }
    connection.execute({});
  }

  /** Asks for the answers of what is written in this turn. Scheduled before the write, so that both leave together. */
  function scheduleFlush(connection: Wire): void {
    if (!isFlushScheduled) {
      isFlushScheduled = true;
      process.nextTick(() => {
        isFlushScheduled = false;
        if (!isEnding) {
          connection.flush();
        }
      });
    }
  }

  /** Ends the transaction, once: PostgreSQL answers every Sync. */
  function end(finish: (connection: Wire) => void): void {
    if (wire && !isEnding) {
      finish(wire);
    }
    isEnding = true;
  }

  client.query(exchange);

  return {
    async query({ name, text, values = [] }) {
      if (!wire) {
        // The connection was lost before it got the transaction, which `pg` tells in its next turn.
        await ended.promise;
      }
      if (failure || isEnding || !wire) {
        throw failure ?? new Error(`Statement after the end of its transaction: ${text}`);
      }
      const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
      const columns = name === undefined ? undefined : known.get(name);
      const statement: InFlight = { name, text, columns, rows: [], resolve, reject };
      const prepared = values.map(prepareValue);
      scheduleFlush(wire);
      write(wire, statement, prepared);
      inFlight.push(statement);
      if (inFlight.length === 1) {
        watchHead();
      }
      try {
        return await promise;
      } catch (error) {
        // The stack of the caller helps more than that of the socket reader.
        Error.captureStackTrace(error as Error);
        throw error;
      }
    },
    async commit() {
      end((connection) => connection.sync());
      await ended.promise;
    },
    async rollback() {
      end((connection) => (failure ? connection.sync() : connection.query(ROLL_BACK)));
      // After an error `pg` tells nobody when the connection is ready for the next transaction, or that it is lost.
      await runStatement(client, NOTHING);
    },
  };
}

function rowOf(columns: readonly Column[], fields: readonly (string | null)[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  columns.forEach(({ name, parse }, at) => {
    const text = fields[at] ?? null;
    row[name] = text === null ? null : parse(text);
  });
  return row;
}
