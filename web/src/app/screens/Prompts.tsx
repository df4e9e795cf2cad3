import type { Prompt } from "@prosa/contract/prompts";
import { BookOpen, Bot, MessageCircleQuestion, Sparkles } from "lucide-react";
import { useState } from "react";
import { AssistSettings } from "#web/features/agent-assist/index.ts";
import {
  faultMessages,
  PromptDialog,
  promptMessages,
  PromptTest,
  promptsRealtime,
  promptsResource,
} from "#web/features/prompts/index.ts";
import { queuesRealtime } from "#web/features/queues/index.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { navigate } from "#web/lib/routing/location.ts";
import { registerRealtime } from "#web/lib/realtime/realtime.ts";
import { ColorDot } from "#web/ui/Chip.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import type { Column } from "#web/ui/ListScreen.tsx";
import { RecordList } from "#web/ui/RecordList.tsx";
import { ScreenAction } from "#web/ui/ScreenAction.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { FaultText, WholeText } from "#web/ui/WholeText.ts";

registerRealtime(promptsRealtime);
registerRealtime(queuesRealtime);

/** /prompts: the company's AI assistants and their instructions (O-08). */
export function Prompts() {
  const t = useMessages(promptMessages);
  const [tested, setTested] = useState<Prompt>();
  const [isSetting, setSetting] = useState(false);
  return (
    <>
      <RecordList
        resource={promptsResource}
        texts={promptMessages}
        icon={<Bot />}
        columns={useColumns()}
        nameOf={({ name }) => name}
        moreActions={
          <>
            <ScreenAction icon={<BookOpen size={16} />} label={t("knowledge")} onClick={() => navigate("/knowledge")} />
            <ScreenAction icon={<Sparkles size={16} />} label={t("forAgents")} onClick={() => setSetting(true)} />
          </>
        }
        rowActions={(prompt) => (
          <IconButton label={t("test", { name: prompt.name })} onClick={() => setTested(prompt)}>
            <MessageCircleQuestion />
          </IconButton>
        )}
        form={(prompt, onClose) => <PromptDialog prompt={prompt} onClose={onClose} />}
      />
      {isSetting && <AssistSettings onClose={() => setSetting(false)} />}
      {tested && <PromptTest prompt={tested} onClose={() => setTested(undefined)} />}
    </>
  );
}

function useColumns(): Column<Prompt>[] {
  const t = useMessages(promptMessages);
  const fault = useMessages(faultMessages);
  const format = useFormat();
  return [
    { key: "name", title: t("name"), width: "minmax(140px, 2fr)", cell: ({ name }) => name },
    {
      key: "queue",
      title: t("queue"),
      width: "minmax(120px, 1fr)",
      cell: ({ queue }) =>
        queue ? (
          <Queue title={queue.name}>
            <ColorDot tint={queue.color} />
            <span>{queue.name}</span>
          </Queue>
        ) : (
          t("noQueue")
        ),
    },
    {
      key: "maxTokens",
      title: t("maxTokens"),
      width: "120px",
      align: "right",
      isLaptopOnly: true,
      cell: ({ maxTokens }) => format.number(maxTokens),
    },
    {
      key: "usage",
      title: t("usage"),
      width: "minmax(150px, 1fr)",
      align: "right",
      cell: ({ usage, monthlyTokens, monthlyCost }) => {
        const used = format.number(usage.tokens);
        const cost = usage.cost === null ? "" : format.money(usage.cost, "USD");
        return (
          <Use title={t("requests", { count: usage.requests })}>
            <span>{monthlyTokens === null ? used : t("usedOf", { used, cap: format.number(monthlyTokens) })}</span>
            {cost !== "" && (
              <Cost>
                {monthlyCost === null ? cost : t("usedOf", { used: cost, cap: format.money(monthlyCost, "USD") })}
              </Cost>
            )}
          </Use>
        );
      },
    },
    {
      key: "state",
      title: t("state"),
      width: "minmax(140px, 1.5fr)",
      cell: ({ fault: found, embeddingFault }) =>
        found === null ? (
          embeddingFault === null ? (
            t("works")
          ) : (
            <WholeText>{t("embeddingFault", { fault: fault(embeddingFault) })}</WholeText>
          )
        ) : (
          <FaultText title={format.dateTime(found.at)}>{fault(found.kind)}</FaultText>
        ),
    },
  ];
}

const Use = styled("span")({ display: "inline-block" });
const Cost = styled("span")({ display: "block", fontSize: 12, color: color.ink2 });
const Queue = styled("span")({
  display: "inline-flex",
  alignItems: "center",
  gap: 8,
  minWidth: 0,
  maxWidth: "100%",
  "& > span:last-of-type": { minWidth: 0, overflow: "hidden", textOverflow: "ellipsis" },
});
