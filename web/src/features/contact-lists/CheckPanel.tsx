import type { ContactList } from "@prosa/contract/contact-lists";
import { useMessages } from "#web/lib/text/i18n.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { Button } from "#web/ui/Button.tsx";
import { ProgressBar } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { toast } from "#web/ui/Toast.tsx";
import { color } from "#web/ui/theme.ts";
import { useCheckNumbers } from "./contact-lists.api.ts";
import { contactListsMessages } from "./contact-lists.i18n.ts";

/** How far the check of a list's numbers is, why it waits, and how many duplicates it took off. */
export function CheckPanel({ list }: { readonly list: ContactList }) {
  const t = useMessages(contactListsMessages);
  const format = useFormat();
  const check = useCheckNumbers(list.id);
  const { checkState, contactsCount: total, duplicatesRemoved } = list;
  const done = list.validCount + list.invalidCount;
  const duplicates = duplicatesRemoved > 0 && <span>{t("duplicates", { count: duplicatesRemoved })}</span>;
  switch (checkState) {
    case "running":
      return (
        <Panel role="status">
          <span>{t("checking", { done: format.number(done), total: format.number(total) })}</span>
          {duplicates}
          <ProgressBar label={t("check")} value={total === 0 ? undefined : done / total} />
        </Panel>
      );
    case "waiting":
      return (
        <Panel role="status">
          <span>{t("checkWaiting")}</span>
        </Panel>
      );
    case "failed":
      return (
        <Panel role="status" data-wrong>
          <div>
            <span>{t("checkFailed")}</span>
            <Button
              isBusy={check.isPending}
              onClick={() => check.mutate(false, { onError: (error) => toast.failure(error) })}
            >
              {t("tryAgain")}
            </Button>
          </div>
        </Panel>
      );
    case "idle":
      return duplicates ? <Panel role="status">{duplicates}</Panel> : null;
  }
}

const Panel = styled("div")({
  display: "flex",
  flexDirection: "column",
  gap: 8,
  padding: "10px 20px",
  borderBottom: `1px solid ${color.line}`,
  backgroundColor: color.accentSoft,
  fontSize: 13,
  "&[data-wrong]": { backgroundColor: color.dangerSoft },
  "& > div:first-of-type:not([role])": {
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    justifyContent: "space-between",
    gap: 12,
  },
});
