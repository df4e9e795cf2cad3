import { randomBytes } from "node:crypto";
import { connect } from "node:net";

/** Packet of the transport, by its first character (Engine.IO), and of the socket in it, by the second (Socket.IO). */
const OPEN = "0";
const PING = "2";
const PONG = "3";
const CONNECT = "40";
const REFUSED = "44";
const EVENT = "42";

/** All sockets read into it, one after the other: a buffer for each read is most of what such a client costs. */
const shared = Buffer.allocUnsafeSlow(65_536);

/**
 * A Socket.IO client over WebSocket that parses nothing unless it is asked to: a thousand usual clients in one process need
 * more of the machine than the measured server, which has the other half of the same processor. `onEvent` gets a function for the
 * text of each event, valid until it returns. Resolves when the server has let it into its rooms.
 */
export function openCheapSocket(url: string, auth: unknown, onEvent: (text: () => string) => void): Promise<void> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let rest: Buffer = Buffer.alloc(0);
    let isUpgraded = false;
    let isReady = false;
    const onread = { buffer: shared, callback: (length: number) => read(shared.subarray(0, length)) };
    const socket = connect({ host: hostname, port: Number(port), noDelay: true, onread });
    socket.on("error", reject);
    socket.write(
      [
        "GET /socket.io/?EIO=4&transport=websocket HTTP/1.1",
        `Host: ${hostname}:${port}`,
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        `Sec-WebSocket-Key: ${randomBytes(16).toString("base64")}`,
        "\r\n",
      ].join("\r\n"),
    );

    /** True: go on reading. */
    function read(chunk: Buffer): boolean {
      let data = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      if (!isUpgraded) {
        const end = data.indexOf("\r\n\r\n");
        isUpgraded = end >= 0;
        data = isUpgraded ? data.subarray(end + 4) : data;
      }
      for (let frame = isUpgraded ? frameAt(data) : undefined; frame; frame = frameAt(data)) {
        handle(data.subarray(frame.from, frame.to));
        data = data.subarray(frame.to);
      }
      // What is left lies in the buffer that the next read overwrites.
      rest = Buffer.from(data);
      return true;
    }

    function handle(packet: Buffer): void {
      if (isReady && packet[0] === EVENT.charCodeAt(0) && packet[1] === EVENT.charCodeAt(1)) {
        onEvent(() => packet.toString("utf8", EVENT.length));
        return;
      }
      const start = packet.toString("latin1", 0, 10);
      if (start.startsWith(`${EVENT}["ready"`)) {
        isReady = true;
        resolve();
      } else if (start.startsWith(OPEN)) {
        socket.write(textFrame(CONNECT + JSON.stringify(auth)));
      } else if (start === PING) {
        socket.write(textFrame(PONG));
      } else if (start.startsWith(REFUSED)) {
        reject(new Error(packet.toString()));
      }
    }
  });
}

/** Where the payload of the first frame is; undefined until all of it is there. */
function frameAt(data: Buffer): { readonly from: number; readonly to: number } | undefined {
  const short = (data[1] ?? 0) & 0x7f;
  const from = short === 127 ? 10 : short === 126 ? 4 : 2;
  if (data.length < from) {
    return undefined;
  }
  const length = short === 127 ? data.readUIntBE(4, 6) : short === 126 ? data.readUInt16BE(2) : short;
  return data.length < from + length ? undefined : { from, to: from + length };
}

/** Clients mask their frames; here with a mask of zeros. */
function textFrame(text: string): Buffer {
  const data = Buffer.from(text);
  const header = Buffer.alloc(data.length < 126 ? 6 : 8);
  header[0] = 0x81;
  header[1] = 0x80 | (data.length < 126 ? data.length : 126);
  if (data.length >= 126) {
    header.writeUInt16BE(data.length, 2);
  }
  return Buffer.concat([header, data]);
}
