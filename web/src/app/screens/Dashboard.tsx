import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useMemo } from "react";
import {
  AttendantsTable,
  Card,
  ChartCard,
  dashboardMessages,
  dashboardRealtime,
  choiceOf,
  choiceQuery,
  daysOf,
  figuresCsv,
  figuresOptions,
  FilterBar,
  isByHour,
  PeopleChart,
  perDayOptions,
  perUserOptions,
  productChoices,
  RangeChips,
  readChoice,
  spanOf,
  Tiles,
  TimeChart,
  todayIn,
  withOthers,
  type Choice,
} from "#web/features/dashboard/index.ts";
import { downloadCsv } from "#web/lib/api/download.ts";
import { useSearchParams } from "#web/lib/routing/location.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { registerRealtime } from "#web/lib/realtime/realtime.ts";
import { useUser } from "#web/lib/session/session.ts";
import { IconButton } from "#web/ui/IconButton.tsx";
import { ErrorState } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { color, media } from "#web/ui/theme.ts";

registerRealtime(dashboardRealtime);

/** /: the dashboard, with current counters and the figures of a date range (D-01). */
export function Dashboard() {
  const t = useMessages(dashboardMessages);
  const format = useFormat();
  const { company } = useUser();
  const today = todayIn(company.timeZone);
  const [search, setSearch] = useSearchParams();
  const products = useQuery(productChoices);
  // Not by a list that may be older than the address.
  const known = products.isFetchedAfterMount ? products.data : undefined;
  const choice = useMemo(() => readChoice(search, today, known), [search, today, known]);
  const { filter } = choice;
  const show = (next: Choice) => setSearch(choiceQuery(next), { replace: true });
  const figures = useQuery(figuresOptions(filter));
  const perUser = useQuery(perUserOptions(filter, today));
  const perDay = useQuery(perDayOptions(filter, today));
  const queries = [figures, perUser, perDay];
  const failed = queries.filter(({ error, data }) => error && !data);
  // Figures of the range before stay in sight until those of this one come, and must not pass for them.
  const isOfRangeBefore = queries.some(({ isPlaceholderData }) => isPlaceholderData);
  const finished = withOthers(perUser.data, figures.data, t("others"));
  const hours = isByHour(perDay.data ?? []);

  const save = () => {
    if (figures.data && finished && perDay.data) {
      const shown = { figures: figures.data, perUser: finished, perDay: perDay.data };
      downloadCsv("painel.csv", figuresCsv(shown, spanOf(filter, today), t, format));
    }
  };

  return (
    <Screen aria-label={t("title")}>
      <Head>
        <h1>{t("title")}</h1>
        <IconButton label={t("export")} disabled={isOfRangeBefore || !finished || !perDay.data} onClick={save}>
          <Download />
        </IconButton>
      </Head>
      <FilterBar
        filter={filter}
        onFilter={(next) => show(choiceOf(next, today))}
        chips={(onOther) => (
          <RangeChips
            range={choice.range}
            onRange={(range) => show({ range, filter: { ...filter, ...daysOf(range, today) } })}
            onOther={onOther}
          />
        )}
      />
      {failed[0] ? (
        <ErrorState
          title={t("failed")}
          error={failed[0].error}
          onRetry={() => failed.forEach((query) => void query.refetch())}
        />
      ) : (
        <Content aria-busy={isOfRangeBefore} data-testid="dashboard-figures">
          <Tiles figures={figures.data} today={today} />
          <Grid>
            <ChartCard
              title={t(hours ? "perHour" : "perDay")}
              hint={t("perDayHint")}
              labelTitle={t(hours ? "hour" : "day")}
              points={perDay.data}
            >
              {(points) => <TimeChart points={points} name={t("tickets")} />}
            </ChartCard>
            <ChartCard title={t("perUser")} hint={t("perUserHint")} labelTitle={t("name")} points={finished}>
              {(points) => <PeopleChart points={points} name={t("tickets")} />}
            </ChartCard>
          </Grid>
          <Card aria-label={t("attendants")}>
            <header>
              <h2>{t("attendants")}</h2>
            </header>
            <AttendantsTable figures={figures.data} />
          </Card>
        </Content>
      )}
    </Screen>
  );
}

const Screen = styled("section")({
  display: "flex",
  flexDirection: "column",
  gap: 16,
  height: "100%",
  overflow: "auto",
  padding: "16px 20px 32px",
  backgroundColor: color.background,
  "& > *": { flex: "none" },
  [media.phone]: { padding: "12px 12px 32px" },
});
const Head = styled("header")({
  display: "flex",
  alignItems: "center",
  justifyContent: "space-between",
  "& h1": { fontSize: 18, fontWeight: 600, letterSpacing: "-0.01em" },
});
const Content = styled("div")({
  display: "flex",
  flexDirection: "column",
  gap: 16,
  // not where the answer is quick: it would only flicker
  "&[aria-busy='true']": { opacity: 0.5, transition: "opacity 150ms 150ms" },
});
const Grid = styled("div")({
  display: "grid",
  gridTemplateColumns: "minmax(0, 3fr) minmax(0, 2fr)",
  gap: 16,
  "@media (max-width: 999.95px)": { gridTemplateColumns: "minmax(0, 1fr)" },
});
