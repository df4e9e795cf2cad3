import type { Campaign } from "@prosa/contract/campaigns";
import { useMessages } from "#web/lib/text/i18n.ts";
import { confirm } from "#web/ui/dialogs/Confirm.tsx";
import { toast } from "#web/ui/Toast.tsx";
import { campaignsResource, useCancelCampaign, useCloneCampaign, useRestartCampaign } from "./campaigns.api.ts";
import { campaignMessages } from "./campaigns.i18n.ts";

/** The verbs of a campaign, each after a question that says what happens, and with its toast (specification 2 section 8). */
export function useCampaignActions({ id, name, counts }: Campaign) {
  const t = useMessages(campaignMessages);
  const cancel = useCancelCampaign();
  const restart = useRestartCampaign();
  const clone = useCloneCampaign();
  const remove = campaignsResource.useRemove();

  return {
    async cancel() {
      const isDone = await confirm({
        title: t("stopTitle", { name }),
        text: t("stopText"),
        verb: t("stopVerb"),
        isDangerous: true,
        run: () => cancel.mutateAsync(id),
      });
      if (isDone) {
        toast.success(t("stopped"));
      }
    },
    async restart() {
      const isDone = await confirm({
        title: t("restartTitle", { name }),
        text: t("restartText", { count: counts.waiting }),
        verb: t("restartVerb"),
        run: () => restart.mutateAsync(id),
      });
      if (isDone) {
        toast.success(t("restarted"));
      }
    },
    clone() {
      clone.mutate(id, {
        onSuccess: () => toast.success(t("cloned")),
        onError: (error) => toast.failure(error),
      });
    },
    /** Whether it was deleted. */
    async remove(): Promise<boolean> {
      const isDone = await confirm({
        title: t("removeTitle", { name }),
        text: t("removeText"),
        verb: t("remove"),
        isDangerous: true,
        run: () => remove.mutateAsync(id),
      });
      if (isDone) {
        toast.success(t("removed"));
      }
      return isDone;
    },
  };
}
