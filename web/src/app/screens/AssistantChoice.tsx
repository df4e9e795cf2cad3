import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { promptsRealtime, promptsResource } from "#web/features/prompts/index.ts";
import { queueIntegrationsRealtime, typeNames, useIntegrationNames } from "#web/features/queue-integrations/index.ts";
import { defineMessages, useMessages } from "#web/lib/text/i18n.ts";
import { hasFeature } from "#web/lib/session/permissions.ts";
import { registerRealtime } from "#web/lib/realtime/realtime.ts";
import { useUser } from "#web/lib/session/session.ts";
import { SelectField } from "#web/ui/fields/SelectField.tsx";
import { FieldRow } from "#web/ui/dialogs/FormDialog.tsx";

registerRealtime(promptsRealtime);
registerRealtime(queueIntegrationsRealtime);

interface Choice {
  readonly promptId: number | null;
  readonly integrationId: number | null;
  readonly onChange: (name: "promptId" | "integrationId", id: number | null) => void;
}

/** Selects the prompt and the integration of a queue or a connection, if the plan has them (Q-01, W-02). */
export function AssistantChoice({ promptId, integrationId, onChange }: Choice) {
  const t = useMessages(messages);
  const user = useUser();
  const [hasPrompts, hasIntegrations] = [hasFeature(user, "useOpenAi"), hasFeature(user, "useIntegrations")];
  const prompts = useQuery({ ...promptsResource.listOptions, enabled: hasPrompts });
  const integrations = useIntegrationNames(hasIntegrations);
  if (!hasPrompts && !hasIntegrations) {
    return null;
  }
  return (
    <FieldRow>
      {hasPrompts && (
        <Picker
          label={t("prompt")}
          hint={t("promptHint")}
          none={t("noPrompt")}
          items={prompts.data}
          isFetching={prompts.isFetching}
          chosen={promptId}
          onChoose={(id) => onChange("promptId", id)}
        />
      )}
      {hasIntegrations && (
        <Picker
          label={t("integration")}
          hint={t("integrationHint")}
          none={t("noIntegration")}
          items={integrations.data?.map(({ id, name, type }) => ({ id, name: `${name} (${typeNames[type]})` }))}
          isFetching={integrations.isFetching}
          chosen={integrationId}
          onChoose={(id) => onChange("integrationId", id)}
        />
      )}
    </FieldRow>
  );
}

function Picker(props: {
  readonly label: string;
  readonly hint: string;
  /** Text of the option for none. */
  readonly none: string;
  /** Undefined while loading. */
  readonly items: readonly { readonly id: number; readonly name: string }[] | undefined;
  /** The items may be old: one that is missing may be new, and one that is there deleted. */
  readonly isFetching: boolean;
  readonly chosen: number | null;
  readonly onChoose: (id: number | null) => void;
}) {
  const { items, isFetching, chosen, onChoose } = props;
  const isMissing = chosen !== null && !items?.some(({ id }) => id === chosen);
  const isGone = isMissing && items !== undefined && !isFetching;
  // It was deleted while the form is open: clear it, so that saving does not reference it.
  useEffect(() => {
    if (isGone) {
      onChoose(null);
    }
  }, [isGone, onChoose]);

  return (
    <SelectField
      label={props.label}
      hint={props.hint}
      isOptional
      value={isMissing ? "" : (chosen ?? "")}
      disabled={items === undefined || (isMissing && isFetching)}
      onChange={({ target }) => onChoose(target.value === "" ? null : Number(target.value))}
    >
      <option value="">{props.none}</option>
      {items?.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}

const messages = defineMessages({
  pt: {
    prompt: "Assistente de IA",
    integration: "Integração",
    noPrompt: "Nenhum",
    noIntegration: "Nenhuma",
    promptHint: "Responde aos clientes no lugar do menu, até passar a conversa para uma pessoa.",
    integrationHint: "Responde aos clientes no lugar do menu e do assistente.",
  },
  en: {
    prompt: "AI assistant",
    integration: "Integration",
    noPrompt: "None",
    noIntegration: "None",
    promptHint: "It answers customers in place of the menu, until it hands over to a person.",
    integrationHint: "It answers customers in place of the menu and the assistant.",
  },
  es: {
    prompt: "Asistente de IA",
    integration: "Integración",
    noPrompt: "Ninguno",
    noIntegration: "Ninguna",
    promptHint: "Responde a los clientes en lugar del menú, hasta pasar la conversación a una persona.",
    integrationHint: "Responde a los clientes en lugar del menú y del asistente.",
  },
});
