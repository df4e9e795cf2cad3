import { campaignContactVariables } from "@prosa/contract/campaigns";
import { unknownCampaignVariables, type CampaignContact, type CampaignVariable } from "@prosa/contract/campaign-texts";
import { Braces } from "lucide-react";
import type { ComponentProps } from "react";
import { useMessages } from "#web/lib/text/i18n.ts";
import type { TextArea } from "#web/ui/fields/Field.tsx";
import { SentTextField } from "#web/ui/fields/SentTextField.tsx";
import { VariableRow } from "#web/ui/fields/VariableButton.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { ActionMenu } from "#web/ui/Menu.tsx";
import { dialogMessages } from "./dialog.i18n.ts";

/** A text of a campaign: emoji, its variables with the values of the shown contact, and a warning of unknown ones (K-03). */
export function CampaignTextField({
  text,
  contact,
  variables,
  ...field
}: ComponentProps<typeof TextArea> & {
  readonly text: string;
  readonly contact: CampaignContact;
  readonly variables: readonly CampaignVariable[];
}) {
  const t = useMessages(dialogMessages);
  const values = { nome: contact.name, numero: contact.number, email: contact.email };
  const choices = [
    ...campaignContactVariables.map((key) => ({ key, meaning: t(`variable_${key}`), value: values[key] })),
    ...variables.map(({ key, value }) => ({ key, meaning: key, value })),
  ];
  return (
    <SentTextField
      {...field}
      unknown={unknownCampaignVariables(text, variables)}
      picker={(insert) => (
        <ActionMenu
          align="end"
          actions={choices.map(({ key, meaning, value }) => ({
            key,
            label: <VariableRow meaning={meaning} token={`{${key}}`} value={value} />,
            onSelect: () => insert(`{${key}}`),
          }))}
          opener={(opener) => (
            <IconButton label={t("variables")} {...opener}>
              <Braces />
            </IconButton>
          )}
        />
      )}
    />
  );
}
