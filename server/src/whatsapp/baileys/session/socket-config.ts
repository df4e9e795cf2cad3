import { Agent } from "node:https";
import type { LineHost, LineSettings } from "../../port.ts";
import type { KeyStore } from "../journal/index.ts";
import { isJidNewsletter, isJidStatusBroadcast, proto } from "../library.ts";
import type { AuthenticationCreds, UserFacingSocketConfig, WAVersion } from "../library.ts";
import type { CallOffers } from "./call-offers.ts";
import { libraryLog } from "./library-log.ts";
import type { DecryptFailure } from "./library-log.ts";
import { secureContextFor } from "../media/index.ts";
import type { Timing } from "../timing.ts";

export interface SocketOptions {
  readonly host: LineHost;
  readonly settings: LineSettings;
  readonly creds: AuthenticationCreds;
  readonly version: WAVersion | undefined;
  readonly timing: Timing;
  /** Of the line, beyond this socket; absent where no events are stored. */
  readonly callOffers?: CallOffers;
}

/** Baileys' configuration for one socket of a line. */
export function socketConfig(
  { host, settings, creds, version, timing, callOffers }: SocketOptions,
  keys: KeyStore,
  onDecryptFailure: (failure: DecryptFailure) => void,
): UserFacingSocketConfig {
  return {
    auth: { creds, keys },
    logger: libraryLog(host.log, onDecryptFailure),
    browser: ["Prosa", "Chrome", "1.0"],
    ...(version && { version }),
    ...(settings.wsUrl && { waWebSocketUrl: settings.wsUrl }),
    ...(settings.mediaCa && { fetchAgent: new Agent({ secureContext: secureContextFor(settings.mediaCa) }) }),
    ...timing.socket,
    ...(callOffers && { callOfferCache: callOffers }),
    // No retries of Baileys: the key store accepts every write, and the journal retries the commit.
    transactionOpts: { maxCommitRetries: 1, delayBetweenTriesMs: 0 },
    syncFullHistory: false,
    // History is not imported. Inline payloads are read for their pairs of number and LID; a download would hold the
    // message mutex, and every message behind it.
    shouldSyncHistoryMessage: ({ initialHistBootstrapInlinePayload: inline }) => (inline?.length ?? 0) > 0,
    // Status broadcasts and newsletters are never decrypted. Broadcast lists are: a contact's message comes through one, too (W-08).
    shouldIgnoreJid: (jid) => isJidStatusBroadcast(jid) || isJidNewsletter(jid) === true,
    // By id alone: a retry request may come from the LID of a number that we wrote to (whatsapp.md 4.7).
    getMessage: async ({ id }) => {
      const payload = id ? await host.findSentPayload(id) : null;
      return payload ? proto.Message.decode(payload) : undefined;
    },
  };
}
