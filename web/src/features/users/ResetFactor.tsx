import { twoFactor } from "@prosa/contract/two-factor";
import type { User } from "@prosa/contract/users";
import { call } from "#web/lib/session/session.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { confirm } from "#web/ui/dialogs/Confirm.tsx";
import { toast } from "#web/ui/Toast.tsx";
import { userMessages } from "./users.i18n.ts";

/** For a colleague who lost their authenticator app and recovery codes (V-03). */
export function ResetFactor({ user }: { readonly user: User }) {
  const t = useMessages(userMessages);
  const reset = async () => {
    const isSure = await confirm({
      title: t("resetFactor"),
      text: t("resetFactorText", { name: user.name }),
      verb: t("resetFactorVerb"),
    });
    if (isSure) {
      try {
        await call(twoFactor.reset, { params: { id: user.id } });
        toast.success(t("factorReset"));
      } catch (error) {
        toast.failure(error);
      }
    }
  };
  return <Button onClick={() => void reset()}>{t("resetFactor")}</Button>;
}
