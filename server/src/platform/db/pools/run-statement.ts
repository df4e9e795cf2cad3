import { Socket } from "node:net";
import pg from "pg";

/**
 * One statement on one connection. The same as `client.query(config)` without its copy of the configuration: that is
 * made property by property and costs more than writing the statement to the wire.
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
    // Where it was asked says more than where the answer was read.
    Error.captureStackTrace(error as Error);
    throw error;
  }
}

/**
 * A socket whose writes of one turn of the event loop leave together: the pipelined statements of a transaction cost one
 * system call, and PostgreSQL wakes up once for them.
 */
export function batchingSocket(): Socket {
  const socket = new Socket();
  // Not before: connect() puts the ordinary write() back.
  socket.once("connect", () => {
    const write = socket.write.bind(socket) as (...chunk: unknown[]) => boolean;
    let isHeld = false;
    socket.write = (...chunk: unknown[]) => {
      if (!isHeld) {
        isHeld = true;
        socket.cork();
        process.nextTick(() => {
          isHeld = false;
          socket.uncork();
        });
      }
      return write(...chunk);
    };
  });
  return socket;
}
