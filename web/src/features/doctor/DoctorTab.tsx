import { doctor, type Finding } from "@prosa/contract/doctor";
import { useMutation, useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleX, Mail, RotateCw, TriangleAlert } from "lucide-react";
import { useErrorText } from "#web/lib/api/errors.i18n.ts";
import { call } from "#web/lib/session/session.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useLanguage, useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { EmptyState, ProgressBar } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { color, media } from "#web/ui/theme.ts";
import { toast } from "#web/ui/Toast.tsx";
import { doctorTabMessages } from "./doctor.i18n.ts";
import { lookFromBrowser } from "./look-from-browser.ts";

const order: Readonly<Record<Finding["state"], number>> = { bad: 0, doubtful: 1, good: 2 };
const icons = { bad: <CircleX />, doubtful: <TriangleAlert />, good: <CircleCheck /> } as const;

/** Settings → Diagnostics, the operator's: a line for each thing that the installation needs, what is wrong first. */
export function DoctorTab() {
  const t = useMessages(doctorTabMessages);
  const format = useFormat();
  const errorText = useErrorText();
  const language = useLanguage();
  const query = useQuery({
    queryKey: ["doctor", language],
    queryFn: async ({ signal }) => {
      const seen = await call(doctor.examine, { signal });
      const findings = [...(await lookFromBrowser(seen, t)), ...seen.findings];
      return { at: new Date().toISOString(), findings: findings.sort((a, b) => order[a.state] - order[b.state]) };
    },
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const sendMail = useMutation({
    mutationFn: () => call(doctor.testMail),
    onSuccess: () => toast.success(t("mailSent")),
    onError: (error) => toast.failure(error),
  });
  const findings = query.data?.findings ?? [];
  const toDo = findings.filter(({ state }) => state !== "good").length;

  return (
    <Page aria-label={t("title")}>
      <header>
        <p aria-live="polite">
          {query.isFetching || !query.data
            ? t("lead")
            : `${toDo === 0 ? t("allGood") : t("toDo", { count: toDo })} ${t("checkedAt", { time: format.time(query.data.at) })}`}
        </p>
        <Button icon={<Mail size={16} />} onClick={() => sendMail.mutate()} isBusy={sendMail.isPending}>
          {t("testMail")}
        </Button>
        <Button icon={<RotateCw size={16} />} onClick={() => void query.refetch()} isBusy={query.isFetching}>
          {t("refresh")}
        </Button>
      </header>
      {query.isPending && <ProgressBar label={t("loading")} />}
      {query.isError && <EmptyState icon={<TriangleAlert />} title={t("failed")} text={errorText(query.error)} />}
      {findings.length > 0 && (
        <ul aria-busy={query.isFetching}>
          {findings.map(({ subject, state, found, remedy }) => (
            <li key={subject} data-state={state}>
              <span role="img" aria-label={t(state)} title={t(state)}>
                {icons[state]}
              </span>
              <b>{subject}</b>
              <div>
                {found}
                {remedy !== undefined && <p>{remedy}</p>}
              </div>
            </li>
          ))}
        </ul>
      )}
    </Page>
  );
}

const Page = styled("section")({
  "& > header": { display: "flex", flexWrap: "wrap", alignItems: "center", gap: 8, marginBottom: 16 },
  "& > header > p": { flex: "1 1 220px", margin: 0, color: color.ink2 },
  "& ul": {
    margin: 0,
    padding: 0,
    listStyle: "none",
    border: `1px solid ${color.line}`,
    borderRadius: 10,
    backgroundColor: color.panel,
  },
  "& ul[aria-busy=true]": { opacity: 0.6 },
  "& li": {
    display: "grid",
    gridTemplateColumns: "20px minmax(110px, 170px) minmax(0, 1fr)",
    gap: "2px 10px",
    padding: "10px 14px",
    borderTop: `1px solid ${color.line}`,
  },
  "& li:first-child": { borderTop: 0 },
  "& li > span": { display: "flex", height: 20, alignItems: "center", color: color.accent },
  "& li > span > svg": { width: 18, height: 18 },
  "& li[data-state=doubtful] > span": { color: color.warningInk },
  "& li[data-state=bad] > span": { color: color.danger },
  "& b": { fontWeight: 500, overflowWrap: "anywhere" },
  "& b::first-letter": { textTransform: "uppercase" },
  "& li > div": { minWidth: 0, color: color.ink2, overflowWrap: "anywhere" },
  "& li p": { margin: "2px 0 0", color: color.ink },
  [media.phone]: {
    "& li": { gridTemplateColumns: "20px minmax(0, 1fr)" },
    "& li > div": { gridColumn: 2 },
  },
});
