import { passkeys } from "@prosa/contract/passkeys";
import { startAuthentication, type PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/browser";
import { ApiError } from "#web/lib/api/apiError.ts";
import { callPublic, startSession } from "#web/lib/session/session.ts";
import { currentLanguage, translator } from "#web/lib/text/i18n.ts";
import { toast } from "#web/ui/Toast.tsx";
import { passkeyMessages } from "./passkeys.i18n.ts";

/** Signs in with a passkey of this device, alone or in place of the code after a password (V-03). */
export async function signInWithPasskey(): Promise<void> {
  try {
    const { options } = await callPublic(passkeys.signInOptions);
    const response = await startAuthentication({
      optionsJSON: options as unknown as PublicKeyCredentialRequestOptionsJSON,
    });
    startSession(await callPublic(passkeys.signIn, { body: { response: { ...response } } }));
  } catch (error) {
    showPasskeyError(error);
  }
}

/** The browser's own failure (cancelled, none here, no secure context) in our words; the server's in its. */
export function showPasskeyError(error: unknown): void {
  if (error instanceof ApiError) {
    toast.failure(error);
  } else {
    toast.error(translator(passkeyMessages, currentLanguage())("failed"));
  }
}
