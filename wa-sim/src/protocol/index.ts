export { makeServerKeys, verifySignature } from "./certificates.ts";
export type { ServerKeys } from "./certificates.ts";
export { Connection } from "./connection.ts";
export { lidJid, parseJid, pnJid } from "./jid.ts";
export { open, seal } from "./noise.ts";
export { digitsOf, isPlausibleNumber, otherBrazilianSpelling } from "./phone-numbers.ts";
export { attr, bigEndian, bytesOf, child, children, node, readBigEndian, SERVER } from "./stanza.ts";
export type { Node } from "./stanza.ts";
