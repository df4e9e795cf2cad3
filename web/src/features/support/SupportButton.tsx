import { support } from "@prosa/contract/support";
import type { CompanyRecord } from "@prosa/contract/companies";
import { LifeBuoy, LogIn } from "lucide-react";
import { useState } from "react";
import { ApiError } from "#web/lib/api/apiError.ts";
import { call, moveToCompany, useUser } from "#web/lib/session/session.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { FormDialog } from "#web/ui/dialogs/FormDialog.tsx";
import { PasswordField, TextField } from "#web/ui/fields/Field.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { toast } from "#web/ui/Toast.tsx";
import { supportMessages } from "./support.i18n.ts";

/** In the operator's list of companies: enter as support while the company's consent lasts, or ask for one. */
export function SupportButton({ company }: { readonly company: CompanyRecord }) {
  const t = useMessages(supportMessages);
  const ownId = useUser().companyId;
  const [dialog, setDialog] = useState<"ask" | "password">();
  const { id: companyId, name } = company;
  const state = company.support?.state ?? "none";
  if (companyId === ownId || !company.status) {
    return null;
  }
  const enter = async (password: string) => {
    await moveToCompany(await call(support.enter, { body: { companyId, password } }));
  };
  const tryToEnter = () =>
    void enter("").catch((error: unknown) => {
      if (error instanceof ApiError && error.code === "ERR_PASSWORD_REQUIRED") {
        setDialog("password");
      } else {
        toast.failure(error);
      }
    });
  const close = () => setDialog(undefined);
  return (
    <>
      {state === "allowed" ? (
        <IconButton label={t("enter", { name })} onClick={tryToEnter}>
          <LogIn />
        </IconButton>
      ) : (
        <IconButton label={t(state === "asked" ? "askAgain" : "ask", { name })} onClick={() => setDialog("ask")}>
          <LifeBuoy />
        </IconButton>
      )}
      {dialog === "ask" && (
        <FormDialog<{ reason: string }>
          title={t("askTitle", { name })}
          values={{ reason: "" }}
          verb={t("send")}
          savedText={t("sent")}
          width="xs"
          onSave={({ reason }) => call(support.ask, { body: { companyId, reason } })}
          onClose={close}
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
      )}
      {dialog === "password" && (
        <FormDialog<{ password: string }>
          title={t("enterTitle", { name })}
          values={{ password: "" }}
          verb={t("goIn")}
          fieldOfError={{ ERR_WRONG_PASSWORD: "password", ERR_PASSWORD_REQUIRED: "password" }}
          width="xs"
          onSave={({ password }) => enter(password)}
          onClose={close}
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
      )}
    </>
  );
}
