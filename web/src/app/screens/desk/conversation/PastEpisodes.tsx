import { styled } from "#web/ui/styled.ts";
import type { Episode, Ticket } from "@prosa/contract/tickets";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { episodesOptions } from "#web/features/tickets/index.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { ColorDot } from "#web/ui/Chip.tsx";
import { DrawerSection } from "#web/ui/DrawerSection.tsx";
import { ErrorState, Skeleton } from "#web/ui/states.tsx";
import { color } from "#web/ui/theme.ts";
import { deskMessages } from "#web/app/screens/desk/desk.i18n.ts";

const minuteMs = 60_000;
const hourMinutes = 60;

/** The finished episodes of the ticket: queue, rating, day, duration and agent (C-06, behaviour 4). */
export function PastEpisodes({ ticket, action }: { readonly ticket: Ticket; readonly action?: ReactNode }) {
  const t = useMessages(deskMessages);
  const query = useQuery(episodesOptions(ticket));
  const past = query.data?.filter(({ finishedAt }) => finishedAt !== null) ?? [];

  return (
    <DrawerSection
      title={t("past")}
      action={action}
      isEmpty={query.isSuccess && past.length === 0}
      emptyText={t("noPast")}
      isList
    >
      {query.isPending && <Skeleton style={{ width: "60%" }} />}
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {past.map((episode) => (
        <PastEpisode key={episode.id} episode={episode} />
      ))}
    </DrawerSection>
  );
}

function PastEpisode({ episode }: { readonly episode: Episode }) {
  const t = useMessages(deskMessages);
  const format = useFormat();
  const { startedAt, finishedAt, queue, user } = episode;
  const duration = startedAt && finishedAt ? (Date.parse(finishedAt) - Date.parse(startedAt)) / minuteMs : undefined;

  return (
    <Row>
      <ColorDot tint={queue?.color} size={8} />
      <div>
        <p>
          <b>{queue?.name ?? t("noQueue")}</b> · {ratingText(episode.rating, t)}
        </p>
        <p>
          {[
            format.date(startedAt ?? episode.queuedAt),
            duration === undefined ? t("unserved") : durationText(duration, format, t),
            user?.name,
          ]
            .filter(Boolean)
            .join(" · ")}
        </p>
      </div>
    </Row>
  );
}

type Translate = ReturnType<typeof useMessages<typeof deskMessages.pt>>;

/** Ratings run from 1 to 3 (specification 1 section 2, Dashboard). */
function ratingText(rating: number | null, t: Translate): string {
  switch (rating) {
    case 1:
      return t("rating_1");
    case 2:
      return t("rating_2");
    case 3:
      return t("rating_3");
    default:
      return t("unrated");
  }
}

function durationText(minutes: number, format: ReturnType<typeof useFormat>, t: Translate): string {
  return minutes < hourMinutes ? t("minutes", { count: Math.max(1, Math.round(minutes)) }) : format.minutes(minutes);
}

const Row = styled("article")({
  display: "grid",
  gridTemplateColumns: "auto minmax(0, 1fr)",
  gap: 8,
  fontSize: 13,
  "& > span": { marginTop: 6 },
  "& p": { overflowWrap: "anywhere" },
  "& p + p": { color: color.ink2, fontSize: 12 },
  "& b": { fontWeight: 600 },
});
