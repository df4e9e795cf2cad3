import { signUps } from "@prosa/contract/sign-ups";
import { navigate } from "#web/lib/routing/location.ts";
import { callPublic } from "#web/lib/session/session.ts";
import { currentLanguage, translator } from "#web/lib/text/i18n.ts";
import { toast } from "#web/ui/Toast.tsx";
import { signUpMessages } from "./signUp.i18n.ts";

/** Confirms the e-mail by the token in the address, and takes it out of there. */
export async function confirmEmail(): Promise<void> {
  const token = new URLSearchParams(location.search).get("confirm") ?? "";
  navigate(location.pathname, { replace: true });
  try {
    await callPublic(signUps.confirmEmail, { body: { token } });
    toast.success(translator(signUpMessages, currentLanguage())("confirmed"));
  } catch (error) {
    toast.failure(error);
  }
}
