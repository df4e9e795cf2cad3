import type { KnowledgeSource } from "@prosa/contract/knowledge";
import { BookOpen, Bot, TextSearch } from "lucide-react";
import { useState } from "react";
import {
  KnowledgeDialog,
  knowledgeMessages,
  knowledgeRealtime,
  knowledgeResource,
  TryKnowledge,
} from "#web/features/knowledge/index.ts";
import { promptsRealtime } from "#web/features/prompts/index.ts";
import { registerRealtime } from "#web/lib/realtime/realtime.ts";
import { navigate } from "#web/lib/routing/location.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import type { Column } from "#web/ui/ListScreen.tsx";
import { RecordList } from "#web/ui/RecordList.tsx";
import { ScreenAction } from "#web/ui/ScreenAction.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { FaultText } from "#web/ui/WholeText.ts";

registerRealtime(promptsRealtime);
registerRealtime(knowledgeRealtime);

/** /knowledge: the company's own texts, which its AI assistants may read (O-08). */
export function Knowledge() {
  const t = useMessages(knowledgeMessages);
  const [isTrying, setTrying] = useState(false);
  return (
    <>
      <RecordList
        resource={knowledgeResource}
        texts={knowledgeMessages}
        icon={<BookOpen />}
        columns={useColumns()}
        nameOf={({ name }) => name}
        moreActions={
          <>
            <ScreenAction icon={<Bot size={16} />} label={t("backToPrompts")} onClick={() => navigate("/prompts")} />
            <ScreenAction icon={<TextSearch size={16} />} label={t("tryIt")} onClick={() => setTrying(true)} />
          </>
        }
        form={(source, onClose) => <KnowledgeDialog source={source} onClose={onClose} />}
      />
      {isTrying && <TryKnowledge onClose={() => setTrying(false)} />}
    </>
  );
}

function useColumns(): Column<KnowledgeSource>[] {
  const t = useMessages(knowledgeMessages);
  return [
    {
      key: "name",
      title: t("name"),
      width: "minmax(140px, 2fr)",
      cell: ({ name }) => <span title={name}>{name}</span>,
    },
    { key: "kind", title: t("kind"), width: "minmax(110px, 1fr)", cell: ({ kind }) => t(`kind_${kind}`) },
    {
      key: "prompts",
      title: t("prompts"),
      width: "minmax(120px, 1.4fr)",
      cell: ({ isForAll, prompts }) =>
        isForAll ? t("everybody") : prompts.map(({ name }) => name).join(", ") || t("nobody"),
    },
    { key: "state", title: t("state"), width: "minmax(150px, 1.4fr)", cell: (source) => <State source={source} /> },
  ];
}

function State({
  source: { state, failure, pages, passages, embedded, refused },
}: {
  readonly source: KnowledgeSource;
}) {
  const t = useMessages(knowledgeMessages);
  if (state === "failed") {
    return <FaultText>{t(`failed_${failure ?? "unreadable"}`)}</FaultText>;
  }
  if (state !== "ready") {
    return t(state === "empty" ? "empty_state" : "reading");
  }
  const size = [pages === null ? "" : t("pages", { count: pages }), t("passages", { count: passages })]
    .filter((part) => part !== "")
    .join(", ");
  const how =
    embedded === 0
      ? t("byWords")
      : embedded < passages
        ? t("byMeaningPart", { count: embedded, all: passages })
        : t("byMeaning");
  const why = refused > 0 ? t("refused", { count: refused }) : "";
  return passages === 0 ? (
    t("noPassages")
  ) : (
    <Stack title={[`${size}, ${how}`, why].filter((part) => part !== "").join(". ")}>
      <span>{size}</span>
      <How>{how}</How>
      {why !== "" && <Why>{why}</Why>}
    </Stack>
  );
}

const Stack = styled("span")({
  display: "flex",
  flexDirection: "column",
  minWidth: 0,
  "& > span": { overflow: "hidden", textOverflow: "ellipsis" },
});
const How = styled("span")({ fontSize: 12, color: color.ink2 });
/** A sentence: a title is not shown on a phone. */
const Why = styled(How)({ whiteSpace: "normal" });
