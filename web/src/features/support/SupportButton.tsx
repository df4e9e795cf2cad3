import { support } from "@prosa/contract/support";
import type { CompanyRecord } from "@prosa/contract/companies";
import { LifeBuoy, LogIn } from "lucide-react";
import { useState, type ReactNode } from "react";
import { ApiError } from "#web/lib/api/apiError.ts";
import { call, moveToCompany, useUser } from "#web/lib/session/session.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { FormDialog } from "#web/ui/dialogs/FormDialog.tsx";
import { PasswordField, TextField } from "#web/ui/fields/Field.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { toast } from "#web/ui/Toast.tsx";
import { supportMessages } from "./support.i18n.ts";

interface Opened {
  readonly what: "ask" | "password";
  readonly company: CompanyRecord;
}

/**
 * In the operator's list of companies: the button of a row, to enter as support while the consent lasts or to ask for one, and
 * the dialog, which stands beside the list, so that a new search does not take it away.
 */
export function useSupport(): { readonly button: (company: CompanyRecord) => ReactNode; readonly dialog: ReactNode } {
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  return {
    button: (company) => <SupportButton company={company} onOpen={setOpened} />,
    dialog:
      opened?.what === "ask" ? (
        <AskDialog company={opened.company} onClose={close} />
      ) : (
        opened && <PasswordDialog company={opened.company} onClose={close} />
      ),
  };
}

async function enter(companyId: number, password: string): Promise<void> {
  await moveToCompany(await call(support.enter, { body: { companyId, password } }));
}

function SupportButton(props: { readonly company: CompanyRecord; readonly onOpen: (opened: Opened) => void }) {
  const { company, onOpen } = props;
  const t = useMessages(supportMessages);
  const ownId = useUser().companyId;
  const { id, name } = company;
  const state = company.support?.state ?? "none";
  if (id === ownId || !company.status) {
    return null;
  }
  const tryToEnter = () =>
    void enter(id, "").catch((error: unknown) => {
      if (error instanceof ApiError && error.code === "ERR_PASSWORD_REQUIRED") {
        onOpen({ what: "password", company });
      } else {
        toast.failure(error);
      }
    });
  return state === "allowed" ? (
    <IconButton label={t("enter", { name })} onClick={tryToEnter}>
      <LogIn />
    </IconButton>
  ) : (
    <IconButton
      label={t(state === "asked" ? "askAgain" : "ask", { name })}
      onClick={() => onOpen({ what: "ask", company })}
    >
      <LifeBuoy />
    </IconButton>
  );
}

interface DialogProps {
  readonly company: CompanyRecord;
  readonly onClose: () => void;
}

function AskDialog({ company: { id: companyId, name }, onClose }: DialogProps) {
  const t = useMessages(supportMessages);
  return (
    <FormDialog<{ reason: string }>
      title={t("askTitle", { name })}
      values={{ reason: "" }}
      verb={t("send")}
      savedText={t("sent")}
      width="xs"
      onSave={({ reason }) => call(support.ask, { body: { companyId, reason } })}
      onClose={onClose}
    >
      {({ register }, errorOf) => (
        <>
          <p>{t("askText")}</p>
          <TextField
            label={t("reason")}
            maxLength={200}
            autoComplete="off"
            error={errorOf("reason")}
            {...register("reason")}
          />
        </>
      )}
    </FormDialog>
  );
}

function PasswordDialog({ company: { id, name }, onClose }: DialogProps) {
  const t = useMessages(supportMessages);
  return (
    <FormDialog<{ password: string }>
      title={t("enterTitle", { name })}
      values={{ password: "" }}
      verb={t("goIn")}
      fieldOfError={{ ERR_WRONG_PASSWORD: "password", ERR_PASSWORD_REQUIRED: "password" }}
      width="xs"
      onSave={({ password }) => enter(id, password)}
      onClose={onClose}
    >
      {({ register }, errorOf) => (
        <>
          <p>{t("enterText")}</p>
          <PasswordField
            label={t("password")}
            autoComplete="current-password"
            error={errorOf("password")}
            {...register("password")}
          />
        </>
      )}
    </FormDialog>
  );
}
