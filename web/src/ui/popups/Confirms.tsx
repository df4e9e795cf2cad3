import { useEffect, useId, useState } from "react";
import { useFromLocation } from "#web/lib/routing/location.ts";
import { defineMessages, useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "../Button.tsx";
import { useQuestionHere, type PendingConfirm } from "#web/ui/dialogs/questions.ts";
import { styled } from "../styled.ts";
import { toast } from "../Toast.tsx";
import { color } from "../tokens.ts";
import { DialogFrame } from "./DialogFrame.tsx";

/** In each dialog: the question of `confirm` if this is the topmost one, over which it is then nested. */
export function Confirms() {
  const question = useQuestionHere();
  return question ? <ConfirmDialog key={question.id} question={question} /> : null;
}

export function ConfirmDialog({ question }: { readonly question: PendingConfirm }) {
  const t = useMessages(messages);
  const id = useId();
  const [isBusy, setBusy] = useState(false);
  const path = useFromLocation(({ pathname }) => pathname);
  const [askedAt] = useState(path);
  useEffect(() => {
    // Back, or a conversation that was taken away: what it asks about is not on the screen any more
    if (path !== askedAt && !isBusy) {
      question.answer(false);
    }
  }, [path, askedAt, isBusy, question]);

  const accept = async () => {
    setBusy(true);
    try {
      await question.run?.();
      question.answer(true);
    } catch (error) {
      toast.failure(error);
      setBusy(false);
    }
  };

  return (
    <DialogFrame
      role="alertdialog"
      width="xs"
      fills="never"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      initialFocus={question.isDangerous ? cancelButton : verbButton}
      onClose={() => !isBusy && question.answer(false)}
    >
      <Body>
        <h2 id={`${id}-title`}>{question.title}</h2>
        <div id={`${id}-text`}>{question.text}</div>
        <footer>
          <Button disabled={isBusy} onClick={() => question.answer(false)}>
            {t("cancel")}
          </Button>
          <Button kind={question.isDangerous ? "danger" : "primary"} isBusy={isBusy} onClick={() => void accept()}>
            {question.verb}
          </Button>
        </footer>
      </Body>
    </DialogFrame>
  );
}

const cancelButton = (dialog: HTMLElement) => dialog.querySelector<HTMLElement>("footer > button:first-of-type");
const verbButton = (dialog: HTMLElement) => dialog.querySelector<HTMLElement>("footer > button:last-of-type");

const Body = styled("div")({
  padding: 20,
  display: "flex",
  flexDirection: "column",
  gap: 8,
  "& h2": { fontSize: 16, fontWeight: 600, overflowWrap: "anywhere" },
  "& > div": { color: color.ink2, overflowWrap: "anywhere" },
  "& footer": { display: "flex", justifyContent: "flex-end", gap: 8, marginTop: 12 },
});

const messages = defineMessages({
  pt: { cancel: "Cancelar" },
  en: { cancel: "Cancel" },
  es: { cancel: "Cancelar" },
});
