import type { Help } from "@prosa/contract/helps";
import { useQuery } from "@tanstack/react-query";
import { LifeBuoy } from "lucide-react";
import { useState } from "react";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { recordMessages } from "#web/lib/records/records.i18n.ts";
import { EmptyState, ErrorState, Skeleton } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { color, media } from "#web/ui/theme.ts";
import { helpsResource } from "./helps.api.ts";
import { helpMessages } from "./helps.i18n.ts";
import { VideoThumbnail } from "./VideoThumbnail.tsx";
import { VideoPlayer } from "./VideoPlayer.tsx";

/** /helps: the help videos as cards; a click plays one in a dialog (Y-03). */
export function HelpVideos() {
  const t = useMessages(helpMessages);
  const record = useMessages(recordMessages);
  const format = useFormat();
  const query = useQuery(helpsResource.listOptions);
  const [playing, setPlaying] = useState<Help>();
  return (
    <Screen aria-label={t("title")}>
      <header>
        <h1>
          {t("title")} {query.data && <span>{format.number(query.data.length)}</span>}
        </h1>
      </header>
      <div aria-busy={query.isPending}>
        {query.error && !query.data ? (
          <ErrorState error={query.error} title={record("loadFailed")} onRetry={() => void query.refetch()} />
        ) : query.data?.length === 0 ? (
          <EmptyState icon={<LifeBuoy />} title={t("noneYet")} text={t("noneYetText")} />
        ) : (
          <ul>
            {query.data?.map((help) => (
              <li key={help.id}>
                <Card type="button" aria-label={t("watch", { title: help.title })} onClick={() => setPlaying(help)}>
                  <VideoThumbnail video={help.video} />
                  <strong>{help.title}</strong>
                  {help.description && <p>{help.description}</p>}
                </Card>
              </li>
            )) ?? <LoadingCards />}
          </ul>
        )}
      </div>
      {playing && <VideoPlayer help={playing} onClose={() => setPlaying(undefined)} />}
    </Screen>
  );
}

function LoadingCards() {
  return Array.from({ length: 4 }, (_, index) => (
    <li key={index} aria-hidden>
      <Skeleton style={{ height: "auto", aspectRatio: "16 / 9", borderRadius: 8 }} />
      <Skeleton style={{ width: "60%", marginTop: 12 }} />
    </li>
  ));
}

const Screen = styled("section")({
  display: "flex",
  flexDirection: "column",
  height: "100%",
  minHeight: 0,
  "& > header": {
    flex: "none",
    display: "flex",
    alignItems: "center",
    minHeight: 60,
    padding: "11px 20px",
    borderBottom: `1px solid ${color.line}`,
    backgroundColor: color.panel,
  },
  "& h1": { fontSize: 18, fontWeight: 600, letterSpacing: "-0.01em" },
  "& h1 span": { marginLeft: 4, fontSize: 14, fontWeight: 400, color: color.ink2 },
  "& > div": { flex: 1, minHeight: 0, overflowY: "auto", padding: 20 },
  "& > div > ul": {
    display: "grid",
    gridTemplateColumns: "repeat(auto-fill, minmax(min(260px, 100%), 1fr))",
    gap: 16,
  },
  [media.phone]: { "& > header": { padding: 12 }, "& > div": { padding: 12 } },
});

const Card = styled("button")({
  display: "flex",
  flexDirection: "column",
  width: "100%",
  height: "100%",
  padding: 0,
  border: `1px solid ${color.line}`,
  borderRadius: 8,
  overflow: "hidden",
  backgroundColor: color.panel,
  color: color.ink,
  font: "inherit",
  textAlign: "left",
  cursor: "pointer",
  "&:hover": { borderColor: color.accent },
  "& strong": { padding: "12px 14px 0", fontSize: 14, fontWeight: 600, overflowWrap: "anywhere" },
  "& p": {
    display: "-webkit-box",
    WebkitBoxOrient: "vertical",
    WebkitLineClamp: 3,
    margin: "4px 14px 0",
    overflow: "hidden",
    fontSize: 13,
    color: color.ink2,
    overflowWrap: "anywhere",
  },
  "& > :last-child": { marginBottom: 14 },
});
