import { prompts, promptTestRules, type Prompt } from "@prosa/contract/prompts";
import type { ResponseOf } from "@prosa/contract/endpoint";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { RotateCcw, SendHorizontal } from "lucide-react";
import { useEffect, useRef, useState, type FormEvent } from "react";
import { errorText } from "#web/lib/api/errors.i18n.ts";
import { call } from "#web/lib/session/session.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useLanguage, useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { InfoDialog } from "#web/ui/dialogs/InfoDialog.tsx";
import { Input } from "#web/ui/fields/Field.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { faultMessages } from "./prompt-faults.i18n.ts";
import { promptsKey } from "./prompts.api.ts";
import { promptMessages } from "./prompts.i18n.ts";

type Answer = ResponseOf<typeof prompts.test>;
type Line =
  | { readonly by: "customer"; readonly text: string }
  | { readonly by: "assistant"; readonly answer: Answer }
  | { readonly by: "error"; readonly text: string };

/** A box to write to a prompt as a customer would; the real model answers (O-08). Nothing is kept but what it used. */
export function PromptTest({ prompt, onClose }: { readonly prompt: Prompt; readonly onClose: () => void }) {
  const t = useMessages(promptMessages);
  const language = useLanguage();
  const queryClient = useQueryClient();
  const [lines, setLines] = useState<readonly Line[]>([]);
  const [text, setText] = useState("");
  const scroller = useRef<HTMLDivElement>(null);
  const ask = useMutation({
    mutationFn: (asked: readonly Line[]) =>
      call(prompts.test, { params: { id: prompt.id }, body: { texts: [...textsOf(asked)] } }),
    onSuccess: (answer) => setLines((known) => [...known, { by: "assistant", answer }]),
    onError: (error) => setLines((known) => [...known, { by: "error", text: errorText(error, language) }]),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [promptsKey] }),
  });
  const { isPending } = ask;
  useEffect(() => {
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, [lines, isPending]);

  const send = (event: FormEvent) => {
    event.preventDefault();
    const written = text.trim();
    if (written !== "" && !isPending) {
      const next: Line[] = [...lines, { by: "customer", text: written }];
      setLines(next);
      setText("");
      ask.mutate(next);
    }
  };
  return (
    <InfoDialog
      title={t("test", { name: prompt.name })}
      width="sm"
      onClose={onClose}
      actions={
        <Writer onSubmit={send}>
          <IconButton
            label={t("testAgain")}
            onClick={() => {
              setLines([]);
            }}
          >
            <RotateCcw />
          </IconButton>
          <Input
            aria-label={t("testWrite")}
            placeholder={t("testWrite")}
            autoComplete="off"
            maxLength={promptTestRules.maxText}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
          <Button kind="primary" type="submit" icon={<SendHorizontal size={16} />} isBusy={isPending}>
            {t("testSend")}
          </Button>
        </Writer>
      }
    >
      <Talk ref={scroller} role="log" aria-busy={isPending}>
        {lines.length === 0 && <p>{t("testHint")}</p>}
        {lines.map((line, index) => (
          <TestLine key={index} line={line} queue={prompt.queue?.name} />
        ))}
        {isPending && <p role="status">{t("testThinks")}</p>}
      </Talk>
    </InfoDialog>
  );
}

function TestLine({ line, queue }: { readonly line: Line; readonly queue: string | undefined }) {
  const t = useMessages(promptMessages);
  const fault = useMessages(faultMessages);
  const format = useFormat();
  if (line.by === "customer") {
    return <Bubble data-own>{line.text}</Bubble>;
  }
  if (line.by === "error") {
    return <p data-wrong>{line.text}</p>;
  }
  const { text, handsOver, sources, fault: kind, detail, tokens, ms } = line.answer;
  if (kind !== null) {
    return (
      <p data-wrong role="alert">
        <b>{fault(kind)}.</b> {t("testFailed")}
        {detail && <small>{detail}</small>}
      </p>
    );
  }
  return (
    <>
      {text !== "" && <Bubble>{text}</Bubble>}
      {sources.length > 0 && (
        <small>
          {t("testSources", {
            sources: sources
              .map(({ source, heading, page }) =>
                [source, heading, page ?? ""].filter((part) => part !== "").join(" › "),
              )
              .join("; "),
          })}
        </small>
      )}
      {handsOver && <p>{queue === undefined ? t("testHandsOver") : t("testHandsOverTo", { queue })}</p>}
      <small>
        {t("testCost", { tokens: format.number(tokens), seconds: format.number(Math.round(ms / 100) / 10) })}
      </small>
    </>
  );
}

/** What the model is told of the conversation so far: the newest texts, without what failed. */
function textsOf(lines: readonly Line[]): { fromMe: boolean; text: string }[] {
  return lines
    .flatMap((line) => {
      if (line.by === "customer") {
        return [{ fromMe: false, text: line.text }];
      }
      return line.by === "assistant" && line.answer.text !== "" ? [{ fromMe: true, text: line.answer.text }] : [];
    })
    .slice(-promptTestRules.maxTexts);
}

const Writer = styled("form")({ display: "flex", flex: 1, alignItems: "center", gap: 8, minWidth: 0 });
const Talk = styled("div")({
  display: "flex",
  flexDirection: "column",
  gap: 6,
  minHeight: 260,
  maxHeight: "52vh",
  padding: 12,
  overflowY: "auto",
  border: `1px solid ${color.line}`,
  borderRadius: 8,
  backgroundColor: color.background,
  "& > p": { alignSelf: "center", maxWidth: "92%", fontSize: 13, textAlign: "center", color: color.ink2 },
  "& > p[data-wrong]": {
    color: color.danger,
    "& small": { display: "block", color: color.ink2, overflowWrap: "anywhere" },
  },
  "& > small": { fontSize: 11, color: color.ink2 },
});
const Bubble = styled("div")({
  alignSelf: "flex-start",
  maxWidth: "86%",
  padding: "7px 10px",
  borderRadius: "4px 12px 12px 12px",
  border: `1px solid ${color.line}`,
  backgroundColor: color.panel,
  fontSize: 13,
  lineHeight: 1.45,
  whiteSpace: "pre-wrap",
  overflowWrap: "anywhere",
  "&[data-own]": {
    alignSelf: "flex-end",
    borderRadius: "12px 4px 12px 12px",
    borderColor: color.ownLine,
    backgroundColor: color.own,
  },
});
