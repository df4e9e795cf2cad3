import { useQueryClient } from "@tanstack/react-query";
import { promptsResource } from "#web/features/prompts/index.ts";
import { useSaveSetting, useSetting } from "#web/features/settings/index.ts";
import { defineMessages, useMessages } from "#web/lib/text/i18n.ts";
import { InfoDialog } from "#web/ui/dialogs/InfoDialog.tsx";
import { SelectField } from "#web/ui/fields/SelectField.tsx";
import { toast } from "#web/ui/Toast.tsx";
import { assistState } from "./agent-assist.api.ts";

/** Which prompt drafts for the agents, or none; a change is saved at once (O-08). */
export function AssistSettings({ onClose }: { readonly onClose: () => void }) {
  const t = useMessages(messages);
  const queryClient = useQueryClient();
  const chosen = useSetting("agentAssist");
  const save = useSaveSetting();
  // The chosen one stays to be seen when it loses its key: no other drafts in its place.
  const prompts = promptsResource.useList().rows.filter(({ id, hasApiKey }) => hasApiKey || String(id) === chosen);
  const isWithoutKey = prompts.some(({ id, hasApiKey }) => !hasApiKey && String(id) === chosen);
  const choose = async (value: string) => {
    try {
      // Awaited: callbacks of `mutate` are not called once the dialog is closed.
      await save.mutateAsync({ key: "agentAssist", value });
      void queryClient.invalidateQueries({ queryKey: assistState.queryKey });
      toast.success(t("saved"));
    } catch (error) {
      toast.failure(error);
    }
  };
  const isKnown = ["enabled", "disabled", ...prompts.map(({ id }) => String(id))].includes(chosen);
  return (
    <InfoDialog title={t("title")} width="xs" onClose={onClose}>
      <SelectField
        label={t("label")}
        hint={t(prompts.length === 0 ? "noKey" : isWithoutKey ? "lostKey" : "hint")}
        value={isKnown ? chosen : "enabled"}
        onChange={({ target }) => void choose(target.value)}
      >
        <option value="enabled">{t("first")}</option>
        {prompts.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        <option value="disabled">{t("off")}</option>
      </SelectField>
    </InfoDialog>
  );
}

const messages = defineMessages({
  pt: {
    title: "Ajuda da IA aos atendentes",
    label: "Modelo e chave do assistente",
    hint: "Sugere respostas, resume, reescreve e traduz. O atendente confere e envia. Os tokens contam no limite do assistente.",
    noKey: "Nenhum assistente tem chave: a ajuda não aparece no atendimento.",
    lostKey: "O assistente escolhido não tem chave: a ajuda não aparece no atendimento.",
    first: "O primeiro que tem chave",
    off: "Desligada",
    saved: "Operação atualizada com sucesso.",
  },
  en: {
    title: "AI help for agents",
    label: "Model and key of the assistant",
    hint: "Suggests replies, summarises, rewrites and translates. The agent checks and sends. Its tokens count towards the assistant's limit.",
    noKey: "No assistant has a key: the help does not show at the desk.",
    lostKey: "The chosen assistant has no key: the help does not show at the desk.",
    first: "The first that has a key",
    off: "Off",
    saved: "Setting updated.",
  },
  es: {
    title: "Ayuda de la IA a los agentes",
    label: "Modelo y clave del asistente",
    hint: "Sugiere respuestas, resume, reescribe y traduce. El agente revisa y envía. Los tokens cuentan en el límite del asistente.",
    noKey: "Ningún asistente tiene clave: la ayuda no aparece en la atención.",
    lostKey: "El asistente elegido no tiene clave: la ayuda no aparece en la atención.",
    first: "El primero que tiene clave",
    off: "Apagada",
    saved: "Operación actualizada con éxito.",
  },
});
