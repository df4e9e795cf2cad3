import { BookOpen } from "lucide-react";
import { defineMessages, useMessages } from "#web/lib/text/i18n.ts";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { citedSourcesOf } from "./cited-sources.ts";

/** Where an assistant's answer comes from, for the agents; the customer does not see it (O-08). */
export function SourcesLine({ data }: { readonly data: Readonly<Record<string, unknown>> | null }) {
  const t = useMessages(messages);
  const sources = citedSourcesOf(data).map(({ source, heading, page }) => {
    const place = [source, heading].filter((part) => part !== "").join(" › ");
    return page === null ? place : `${place}, ${t("page", { page })}`;
  });
  if (sources.length === 0) {
    return null;
  }
  const text = t("sources", { sources: sources.join("; ") });
  return (
    <Line title={text}>
      <BookOpen aria-hidden size={12} />
      <span>{text}</span>
    </Line>
  );
}

const Line = styled("div")({
  display: "flex",
  alignItems: "baseline",
  gap: 5,
  marginTop: 4,
  paddingTop: 4,
  borderTop: `1px solid ${color.line}`,
  fontSize: 12,
  color: color.ink2,
  overflowWrap: "anywhere",
  // beside the first line
  "& > svg": { flex: "none", alignSelf: "flex-start", marginTop: 3 },
  "& > span": { minWidth: 0 },
});

const messages = defineMessages({
  pt: { sources: "Fontes: {sources}", page: "p. {page}" },
  en: { sources: "Sources: {sources}", page: "p. {page}" },
  es: { sources: "Fuentes: {sources}", page: "pág. {page}" },
});
