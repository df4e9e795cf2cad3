import { prompts, promptTestRules, type Prompt } from "@prosa/contract/prompts";
import type { ResponseOf } from "@prosa/contract/endpoint";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { errorText } from "#web/lib/api/errors.i18n.ts";
import { call } from "#web/lib/session/session.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useLanguage, useMessages } from "#web/lib/text/i18n.ts";
import { Bubble, TestTalk } from "#web/ui/TestTalk.tsx";
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
  const ask = useMutation({
    mutationFn: (asked: readonly Line[]) =>
      call(prompts.test, { params: { id: prompt.id }, body: { texts: [...textsOf(asked)] } }),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: [promptsKey] }),
  });
  const send = (written: string) => {
    const next: Line[] = [...lines, { by: "customer", text: written }];
    setLines(next);
    ask.mutate(next, {
      onSuccess: (answer) => setLines([...next, { by: "assistant", answer }]),
      onError: (error) => setLines([...next, { by: "error", text: errorText(error, language) }]),
    });
  };
  return (
    <TestTalk
      title={t("test", { name: prompt.name })}
      hint={t("testHint")}
      words={{ write: t("testWrite"), send: t("testSend"), again: t("testAgain"), thinks: t("testThinks") }}
      maxLength={promptTestRules.maxText}
      isPending={ask.isPending}
      onSend={send}
      onAgain={() => {
        // an answer that is still to come belongs to the talk before
        ask.reset();
        setLines([]);
      }}
      onClose={onClose}
    >
      {lines.map((line, index) => (
        <TestLine key={index} line={line} queue={prompt.queue?.name} />
      ))}
    </TestTalk>
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
    return (
      <p data-wrong role="alert">
        {line.text}
      </p>
    );
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
              .map(({ source, heading, page }) => {
                const place = [source, heading].filter((part) => part !== "").join(" › ");
                return page === null ? place : `${place}, ${t("page", { page })}`;
              })
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
