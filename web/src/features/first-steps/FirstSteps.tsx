import { firstStepNames, type FirstStep, type FirstSteps as Steps } from "@prosa/contract/first-steps";
import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "#web/lib/routing/router.tsx";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { styled } from "#web/ui/styled.ts";
import { toast } from "#web/ui/Toast.tsx";
import { color, media, visuallyHidden } from "#web/ui/theme.ts";
import { useHideFirstSteps } from "./first-steps.api.ts";
import { firstStepsMessages } from "./first-steps.i18n.ts";

/** The dialog in which each step is done; the message is written on a phone. */
const places = {
  line: { to: "/connections?open=new", text: "lineText", verb: "lineVerb" },
  message: null,
  colleague: { to: "/users?open=invite", text: "colleagueText", verb: "colleagueVerb" },
  queue: { to: "/queues?open=new", text: "queueText", verb: "queueVerb" },
} as const;
/** For a line that was made and not connected yet. */
const madeLine = { to: "/connections", text: "lineText", verb: "madeLineVerb" } as const;

/** The checklist of a new company, which ticks itself (Z-05). */
export function FirstSteps(props: {
  readonly steps: Steps;
  /** Whether there is a line, connected or not. */
  readonly hasLine: boolean;
  /** How to write to the line: its number, or a button that opens a simulated phone. */
  readonly howToWrite: ReactNode;
}) {
  const { steps, hasLine, howToWrite } = props;
  const t = useMessages(firstStepsMessages);
  const hide = useHideFirstSteps();
  const done = firstStepNames.filter((name) => steps[name]).length;
  const next = firstStepNames.find((name) => !steps[name]);

  return (
    <Card aria-labelledby="first-steps">
      <header>
        <h2 id="first-steps">{t("title")}</h2>
        <span>{t("progress", { done, all: firstStepNames.length })}</span>
      </header>
      <Track aria-hidden>
        <span style={{ width: `${(done / firstStepNames.length) * 100}%` }} />
      </Track>
      <ol>
        {firstStepNames.map((name) => (
          <li key={name} data-step={name} data-done={steps[name] || undefined} data-next={name === next || undefined}>
            <Mark aria-hidden>{steps[name] && <Check size={14} strokeWidth={3} />}</Mark>
            <div>
              <b>
                {t(`${name}Title`)}
                {steps[name] && <Unseen>, {t("done")}</Unseen>}
              </b>
              {!steps[name] && (
                <StepText
                  place={name === "line" && hasLine ? madeLine : places[name]}
                  hasSimulator={steps.hasSimulator}
                  how={steps.line ? howToWrite : <p>{t("messageLater")}</p>}
                />
              )}
            </div>
          </li>
        ))}
      </ol>
      <footer>
        <Button
          kind="quiet"
          isBusy={hide.isPending}
          onClick={() => hide.mutate(true, { onError: (error) => toast.failure(error) })}
        >
          {t("hide")}
        </Button>
      </footer>
    </Card>
  );
}

function StepText(props: {
  readonly place: (typeof places)[FirstStep] | typeof madeLine;
  readonly hasSimulator: boolean;
  /** How to do what is not done on a screen. */
  readonly how: ReactNode;
}) {
  const t = useMessages(firstStepsMessages);
  const { place } = props;
  return place === null ? (
    props.how
  ) : (
    <>
      <p>
        {t(place.text)}
        {place.text === "lineText" && props.hasSimulator && ` ${t("lineSimulated")}`}
      </p>
      <Link to={place.to}>{t(place.verb)}</Link>
    </>
  );
}

const Card = styled("section")({
  width: "min(480px, 100%)",
  padding: 24,
  border: `1px solid ${color.line}`,
  borderRadius: 12,
  backgroundColor: color.panel,
  "& > header": { display: "flex", alignItems: "baseline", gap: 12 },
  "& h2": { flex: 1, fontSize: 18, fontWeight: 600 },
  "& > header > span": { fontSize: 13, color: color.ink2, whiteSpace: "nowrap" },
  "& ol": { listStyle: "none", padding: 0, margin: 0 },
  "& li": { display: "flex", gap: 12, padding: "12px 0", borderBottom: `1px solid ${color.line}` },
  "& li > div": { flex: 1, minWidth: 0 },
  "& li b": { fontWeight: 500 },
  "& li[data-done] b": { color: color.ink2, fontWeight: 400 },
  "& li p": { margin: "2px 0 6px", fontSize: 13, color: color.ink2 },
  "& li a": { display: "inline-flex", alignItems: "center", minHeight: 32, fontWeight: 500 },
  "& > footer": { display: "flex", justifyContent: "flex-end", marginTop: 12 },
  [media.phone]: { padding: 16, "& li a": { minHeight: 44 } },
});

const Track = styled("div")({
  height: 4,
  margin: "12px 0 4px",
  borderRadius: 2,
  overflow: "hidden",
  backgroundColor: color.line,
  "& > span": { display: "block", height: "100%", backgroundColor: color.accent },
});

const Mark = styled("span")({
  flex: "none",
  display: "grid",
  placeItems: "center",
  width: 22,
  height: 22,
  marginTop: -1,
  borderRadius: "50%",
  border: `1.5px solid ${color.lineStrong}`,
  color: color.onAccent,
  "[data-next] > &": { borderColor: color.accent },
  "[data-done] > &": { borderColor: color.accent, backgroundColor: color.accent },
});

const Unseen = styled("span")(visuallyHidden);
