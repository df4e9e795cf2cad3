import { Dialog } from "./Dialog.tsx";
import { styled } from "./styled.ts";
import { useState, useSyncExternalStore, type ReactNode } from "react";
import { defineMessages, useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "./Button.tsx";
import { toast } from "./Toast.tsx";
import { color } from "./tokens.ts";

export interface ConfirmOptions {
  /** "Excluir a fila Vendas?" */
  readonly title: string;
  /** The consequences, with the names of what is affected. */
  readonly text: ReactNode;
  /** The label of the button, a verb: "Excluir". Never "OK". */
  readonly verb: string;
  readonly isDangerous?: boolean;
  /** Runs before the dialog closes; an error is shown as a toast and the dialog stays open. */
  readonly run?: () => Promise<unknown>;
}

interface PendingConfirm extends ConfirmOptions {
  readonly answer: (isYes: boolean) => void;
}

let asked: PendingConfirm | undefined;
const listeners = new Set<() => void>();

/** Asks for confirmation of what cannot be undone: `if (await confirm({ title, text, verb, isDangerous: true })) …`. */
export function confirm(question: ConfirmOptions): Promise<boolean> {
  return new Promise((resolve) => {
    set({
      ...question,
      answer: (isYes) => {
        set(undefined);
        resolve(isYes);
      },
    });
  });
}

/** Renders the confirmation dialogs; mounted once in the app. */
export function Confirms() {
  const question = useSyncExternalStore(subscribe, () => asked);
  return question ? <ConfirmDialog question={question} /> : null;
}

function ConfirmDialog({ question }: { readonly question: PendingConfirm }) {
  const t = useMessages(messages);
  const [isBusy, setBusy] = useState(false);

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
    <Dialog
      open
      onClose={() => !isBusy && question.answer(false)}
      aria-labelledby="confirm-title"
      aria-describedby="confirm-text"
      role="alertdialog"
      maxWidth="xs"
      fullWidth
    >
      <Body>
        <h2 id="confirm-title">{question.title}</h2>
        <div id="confirm-text">{question.text}</div>
        <footer>
          <Button disabled={isBusy} onClick={() => question.answer(false)} autoFocus={question.isDangerous === true}>
            {t("cancel")}
          </Button>
          <Button
            kind={question.isDangerous ? "danger" : "primary"}
            isBusy={isBusy}
            autoFocus={!question.isDangerous}
            onClick={() => void accept()}
          >
            {question.verb}
          </Button>
        </footer>
      </Body>
    </Dialog>
  );
}

function set(next: PendingConfirm | undefined): void {
  asked = next;
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

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
