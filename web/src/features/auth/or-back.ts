import { ApiError } from "#web/lib/api/apiError.ts";
import { currentLanguage, translator } from "#web/lib/text/i18n.ts";
import { toast } from "#web/ui/Toast.tsx";
import { twoFactorMessages } from "./two-factor.i18n.ts";

/** A ticket of the second step that has expired leads back to the password, and says so. */
export async function orBack<T>(work: Promise<T>, onBack: () => void): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      toast.error(translator(twoFactorMessages, currentLanguage())("expired"));
      onBack();
      return undefined;
    }
    throw error;
  }
}
