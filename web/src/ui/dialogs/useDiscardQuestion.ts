import { useEffect } from "react";
import { askBeforeLeaving } from "#web/lib/browser/leave-guard.ts";
import { useStableCallback } from "#web/lib/browser/useStableCallback.ts";
import { defineMessages, useMessages } from "#web/lib/text/i18n.ts";
import { confirm } from "./Confirm.tsx";
import type { ConfirmOptions } from "./questions.ts";

/**
 * While something is typed that was not saved, who opens another screen or tab is asked whether that may be lost; `onDiscard` then takes
 * it off the screen. Returns the question, for who closes the form itself; it resolves to the answer.
 * `words`: of another question.
 */
export function useDiscardQuestion(
  isDirty: boolean,
  onDiscard: () => void,
  words?: ConfirmOptions,
): () => Promise<boolean> {
  const t = useMessages(messages);
  const ask = useStableCallback(() =>
    confirm(words ?? { title: t("discardTitle"), text: t("discardText"), verb: t("discard"), isDangerous: true }),
  );
  const discard = useStableCallback(onDiscard);
  useEffect(() => (isDirty ? askBeforeLeaving(ask, discard) : undefined), [isDirty, ask, discard]);
  return ask;
}

const messages = defineMessages({
  pt: {
    discardTitle: "Descartar as alterações?",
    discardText: "O que você digitou ainda não foi salvo.",
    discard: "Descartar",
  },
  en: {
    discardTitle: "Discard the changes?",
    discardText: "What you typed has not been saved yet.",
    discard: "Discard",
  },
  es: {
    discardTitle: "¿Descartar los cambios?",
    discardText: "Lo que escribió todavía no se guardó.",
    discard: "Descartar",
  },
});
