import { signUps } from "@prosa/contract/sign-ups";
import { navigate } from "#web/lib/routing/location.ts";
import { callPublic } from "#web/lib/session/session.ts";
import { currentLanguage, translator } from "#web/lib/text/i18n.ts";
import { toast } from "#web/ui/Toast.tsx";
import { signUpMessages } from "./signUp.i18n.ts";

/** The link of the mail to who signed up: confirms the e-mail and goes to /login, which has no token in its address. */
export async function confirmEmail(token: string): Promise<void> {
  navigate("/login", { replace: true });
  try {
    await callPublic(signUps.confirmEmail, { body: { token } });
    toast.success(translator(signUpMessages, currentLanguage())("confirmed"));
  } catch (error) {
    toast.failure(error);
  }
}
