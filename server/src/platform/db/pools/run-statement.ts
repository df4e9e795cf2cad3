import { Socket } from "node:net";
import pg from "pg";

/**
 * Runs one statement on one connection. Like `client.query(config)`, which copies the configuration property by
 * property; that costs more than writing the statement to the wire.
 */
export async function runStatement(
  client: pg.ClientBase,
  { text, name, values }: pg.QueryConfig,
): Promise<pg.QueryResult> {
  try {
    return await new Promise((resolve, reject) => {
      const query = new pg.Query(text, values, (error, result) => (error ? reject(error) : resolve(result)));
      client.query(Object.assign(query, { name }));
    });
  } catch (error) {
    // The stack of the caller helps more than that of the socket reader.
    Error.captureStackTrace(error as Error);
    throw error;
  }
}

/**
 * A socket that corks the writes of one turn of the event loop, so that the pipelined statements of a transaction cost
 * one system call and wake PostgreSQL up once.
 */
export function batchingSocket(): Socket {
  const socket = new Socket();
  // Only after connect(), which restores the ordinary write().
  socket.once("connect", () => {
    const write = socket.write.bind(socket) as (...chunk: unknown[]) => boolean;
    let isCorked = false;
    socket.write = (...chunk: unknown[]) => {
      if (!isCorked) {
        isCorked = true;
        socket.cork();
        process.nextTick(() => {
          isCorked = false;
          socket.uncork();
        });
      }
      return write(...chunk);
    };
  });
  return socket;
}
