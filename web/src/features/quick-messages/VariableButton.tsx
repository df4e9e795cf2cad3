import { variableNames, variableToken, type VariableName } from "@prosa/contract/variables";
import { Braces } from "lucide-react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { IconButton } from "#web/ui/IconButton.tsx";
import { ActionMenu } from "#web/ui/Menu.tsx";
import { quickReplyMessages } from "./quick-replies.i18n.ts";

/** Inserts a variable, such as the contact's first name or the protocol (M-13). */
export function VariableButton(props: {
  readonly onChoose: (name: VariableName) => void;
  readonly disabled?: boolean;
}) {
  const t = useMessages(quickReplyMessages);
  return (
    <ActionMenu
      align="start"
      actions={variableNames.map((name) => ({
        key: name,
        label: (
          <>
            {t(name)} <small>{variableToken(name)}</small>
          </>
        ),
        onSelect: () => props.onChoose(name),
      }))}
      opener={(opener) => (
        <IconButton label={t("variables")} disabled={props.disabled ?? false} {...opener}>
          <Braces />
        </IconButton>
      )}
    />
  );
}
