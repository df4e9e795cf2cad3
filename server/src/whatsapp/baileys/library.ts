/** The only module that imports Baileys: the console filter must be installed before the library is loaded. */
import "./console-filter.ts";
import { DEFAULT_CONNECTION_CONFIG } from "baileys";

export {
  BufferJSON,
  DisconnectReason,
  PLACEHOLDER_MAX_AGE_SECONDS,
  WA_CERT_DETAILS,
  WAMessageStubType,
  WAMessageStatus,
  decodeMessageNode,
  generateWAMessageContent,
  getMediaKeys,
  initAuthCreds,
  isJidBroadcast,
  isJidNewsletter,
  isJidStatusBroadcast,
  jidDecode,
  jidEncode,
  makeWASocket,
  normalizeMessageContent,
  proto,
} from "baileys";
export type {
  AnyMessageContent,
  AuthenticationCreds,
  BaileysEventMap,
  BinaryNode,
  ConnectionState,
  GroupMetadata,
  SignalDataSet,
  SignalDataTypeMap,
  SignalKeyStore,
  UserFacingSocketConfig,
  WACallEvent,
  WAMessage,
  WAMessageKey,
  WASocket,
  WAVersion,
} from "baileys";

/** The client version that lines announce where WHATSAPP_VERSION is not set. */
export const libraryVersion: string = DEFAULT_CONNECTION_CONFIG.version.join(".");
