import { companies } from "@prosa/contract/companies";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { call, useUser } from "#web/lib/session/session.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { FailedDialog } from "#web/ui/dialogs/FailedDialog.tsx";
import { FormDialog } from "#web/ui/dialogs/FormDialog.tsx";
import { accountMessages } from "./account.i18n.ts";
import { accountValues, BillingFields } from "./BillingFields.tsx";

const accountOptions = (id: number) =>
  queryOptions({
    queryKey: ["companies", "account", id],
    queryFn: ({ signal }) => call(companies.account, { params: { id }, signal }),
    // An order changes it too, in the checkout.
    gcTime: 0,
  });

/** An admin changes the billing address and the API token of their own company. */
export function AccountDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useMessages(accountMessages);
  const params = { id: useUser().companyId };
  const { data: account, error, refetch } = useQuery(accountOptions(params.id));
  if (!account) {
    return error && <FailedDialog {...{ error, onClose }} title={t("title")} onRetry={() => void refetch()} />;
  }
  return (
    <FormDialog<ReturnType<typeof accountValues>>
      title={t("title")}
      values={accountValues(account)}
      schema={() => import("#schemas/companies").then((module) => module.companyAccountChanges)}
      savedText={t("saved")}
      onClose={onClose}
      onSave={(_whole, changed) => call(companies.saveAccount, { params, body: changed })}
    >
      {(form, errorOf) => (
        <BillingFields
          register={form.register}
          errorOf={errorOf}
          hasToken={account.hasToken}
          token={form.watch("token")}
          onToken={(token) => form.setValue("token", token, { shouldDirty: true })}
        />
      )}
    </FormDialog>
  );
}
