import { useState } from "react";
import { accountMessages } from "#web/features/companies/index.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { lateDialog } from "#web/ui/dialogs/lateDialog.tsx";
import { OptionRow } from "./OptionRow.tsx";

const AccountDialog = lateDialog(async () => (await import("#web/features/companies/index.ts")).AccountDialog);

/** Billing address and API token of the company, in a dialog of their own. */
export function AccountOption() {
  const t = useMessages(accountMessages);
  const [isOpen, setOpen] = useState(false);
  return (
    <OptionRow label={t("title")} hint={t("hint")}>
      {(control) => (
        <>
          {/* its label alone would hide the word on it from voice control */}
          <Button {...control} aria-label={`${t("edit")}: ${t("title")}`} onClick={() => setOpen(true)}>
            {t("edit")}
          </Button>
          {isOpen && <AccountDialog onClose={() => setOpen(false)} />}
        </>
      )}
    </OptionRow>
  );
}
