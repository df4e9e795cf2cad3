/**
 * Leaves Socket.IO's other transports out of the bundle: `lib/realtime/socket.ts` asks for the WebSocket only, but the client
 * imports long polling and WebTransport as well.
 */
import type { Plugin } from "vite";

export function websocketOnly(): Plugin {
  return {
    name: "prosa-websocket-only",
    load: (id) =>
      id.replaceAll("\\", "/").endsWith("/engine.io-client/build/esm/transports/index.js")
        ? `import { WS } from "./websocket.js"; export const transports = { websocket: WS };`
        : null,
  };
}
