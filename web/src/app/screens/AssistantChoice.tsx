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
          none={t("noPrompt")}
          items={prompts.isFetching ? undefined : prompts.data}
          chosen={promptId}
          onChoose={(id) => onChange("promptId", id)}
        />
      )}
      {hasIntegrations && (
        <Picker
          label={t("integration")}
          none={t("noIntegration")}
          items={
            integrations.isFetching
              ? undefined
              : integrations.data?.map(({ id, name, type }) => ({ id, name: `${name} (${typeNames[type]})` }))
          }
          chosen={integrationId}
          onChoose={(id) => onChange("integrationId", id)}
        />
      )}
    </FieldRow>
  );
}

function Picker(props: {
  readonly label: string;
  /** Text of the option for none. */
  readonly none: string;
  /** Undefined while loading. */
  readonly items: readonly { readonly id: number; readonly name: string }[] | undefined;
  readonly chosen: number | null;
  readonly onChoose: (id: number | null) => void;
}) {
  const t = useMessages(messages);
  const { items, chosen, onChoose } = props;
  const isGone = chosen !== null && items !== undefined && !items.some(({ id }) => id === chosen);
  // It was deleted while the form is open: clear it, so that saving does not reference it.
  useEffect(() => {
    if (isGone) {
      onChoose(null);
    }
  }, [isGone, onChoose]);

  return (
    <SelectField
      label={props.label}
      hint={t("hint")}
      isOptional
      value={items === undefined ? "" : (chosen ?? "")}
      disabled={items === undefined}
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
    hint: "A escolha fica guardada. Por enquanto quem responde é o robô.",
  },
  en: {
    prompt: "AI assistant",
    integration: "Integration",
    noPrompt: "None",
    noIntegration: "None",
    hint: "The choice is kept. For now it is the bot that answers.",
  },
  es: {
    prompt: "Asistente de IA",
    integration: "Integración",
    noPrompt: "Ninguno",
    noIntegration: "Ninguna",
    hint: "La elección queda guardada. Por ahora quien responde es el bot.",
  },
});
