import type { IntegrationTestAnswer, QueueIntegration } from "@prosa/contract/queue-integrations";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { queuesOptions } from "#web/features/queues/index.ts";
import { colleaguesOptions } from "#web/features/users/index.ts";
import { ApiError } from "#web/lib/api/apiError.ts";
import { useErrorText } from "#web/lib/api/errors.i18n.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Bubble, TestTalk } from "#web/ui/TestTalk.tsx";
import { useIntegrationFailure } from "./integration-failures.i18n.ts";
import { useTestIntegration } from "./queue-integrations.api.ts";
import { integrationMessages } from "./queue-integrations.i18n.ts";

type Line =
  | { readonly by: "customer"; readonly text: string }
  | { readonly by: "integration"; readonly answer: IntegrationTestAnswer }
  | { readonly by: "error"; readonly error: unknown };

/** A box to write to an integration as a customer would: the real system answers, and no customer hears it (O-09). */
export function IntegrationTestDialog(props: { readonly integration: QueueIntegration; readonly onClose: () => void }) {
  const { integration, onClose } = props;
  const t = useMessages(integrationMessages);
  const [lines, setLines] = useState<readonly Line[]>([]);
  const [session, setSession] = useState<string | null>(null);
  const ask = useTestIntegration(integration.id);
  const add = (line: Line) => setLines((known) => [...known, line]);
  const send = (text: string) => {
    add({ by: "customer", text });
    ask.mutate(
      { text, session },
      {
        onSuccess: (answer) => {
          setSession(answer.session);
          add({ by: "integration", answer });
        },
        onError: (error) => add({ by: "error", error }),
      },
    );
  };
  return (
    <TestTalk
      title={t("testOf", { name: integration.name })}
      hint={t("testHint")}
      words={{ write: t("testWrite"), send: t("testSend"), again: t("testAgain"), thinks: t("testThinks") }}
      maxLength={1_000}
      isPending={ask.isPending}
      onSend={send}
      onAgain={() => {
        // an answer that is still to come belongs to the talk before
        ask.reset();
        setLines([]);
        setSession(null);
      }}
      onClose={onClose}
    >
      {lines.map((line, index) => (
        <TestLine key={index} line={line} />
      ))}
    </TestTalk>
  );
}

function TestLine({ line }: { readonly line: Line }) {
  if (line.by === "customer") {
    return <Bubble data-own>{line.text}</Bubble>;
  }
  return line.by === "error" ? <Failure error={line.error} /> : <Answer {...line.answer} />;
}

function Answer({ messages, outcome, queueId, userId }: IntegrationTestAnswer) {
  const t = useMessages(integrationMessages);
  const isSilent = messages.length === 0 && outcome === "goesOn";
  const target = useTarget(queueId, userId);
  return (
    <>
      {messages.map(({ text, mediaUrl }, index) => (
        <Bubble key={index}>
          {mediaUrl !== null && <File url={mediaUrl} />}
          {mediaUrl !== null && text !== "" && "\n"}
          {text}
        </Bubble>
      ))}
      {isSilent && <p>{t("testSilence")}</p>}
      {outcome !== "goesOn" && <p>{[t(outcome), target].filter(Boolean).join(": ")}</p>}
    </>
  );
}

/** Whom the conversation goes to, by name. */
function useTarget(queueId: number | null, userId: number | null): string {
  const t = useMessages(integrationMessages);
  const queue = useQuery({ ...queuesOptions, enabled: queueId !== null }).data?.find(({ id }) => id === queueId);
  const agent = useQuery({ ...colleaguesOptions, enabled: userId !== null }).data?.find(({ id }) => id === userId);
  return [queue && t("usedByQueue", { name: queue.name }), agent && t("testAgent", { name: agent.name })]
    .filter((part) => part !== undefined)
    .join(", ");
}

/** A link to a page of the web alone: the other system may answer any text here, also one that runs as a script. */
function File({ url }: { readonly url: string }) {
  const t = useMessages(integrationMessages);
  return /^https?:/u.test(url) ? (
    <a href={url} target="_blank" rel="noreferrer noopener">
      {url}
    </a>
  ) : (
    <i>{t("testFile")}</i>
  );
}

function Failure({ error }: { readonly error: unknown }) {
  const failure = useIntegrationFailure();
  const errorText = useErrorText();
  const details = error instanceof ApiError && error.code === "ERR_INTEGRATION_FAILED" ? error.details : undefined;
  const { reason, detail } = details ?? {};
  return (
    <p data-wrong role="alert">
      {errorText(error)}
      {typeof reason === "string" && <small>{failure(reason, typeof detail === "string" ? detail : "")}</small>}
    </p>
  );
}
