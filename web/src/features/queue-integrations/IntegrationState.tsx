import type { ListedIntegration } from "@prosa/contract/queue-integrations";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { splitFailure, useIntegrationFailure } from "./integration-failures.i18n.ts";
import { integrationMessages } from "./queue-integrations.i18n.ts";

type Use = Pick<ListedIntegration, "queues" | "connections">;

/** The queues and connections that chose an integration, by name. */
export function IntegrationUse(props: Use) {
  const t = useMessages(integrationMessages);
  const used = useUses()(props);
  return used === "" ? <Quiet>{t("unused")}</Quiet> : <span title={used}>{used}</span>;
}

/** Whether an integration answers: when it last did, or what fails since when, in words. */
export function IntegrationState({
  lastWorkedAt,
  failure,
  remark,
}: Pick<ListedIntegration, "lastWorkedAt" | "failure" | "remark">) {
  const t = useMessages(integrationMessages);
  const format = useFormat();
  const words = useIntegrationFailure();
  if (failure) {
    const error = words(...splitFailure(failure.error));
    const since = t("failsSince", { date: format.dateTime(failure.since) });
    return (
      <Fault title={`${error} · ${since}`}>
        {capitalized(error)}
        <small>{since}</small>
      </Fault>
    );
  }
  if (lastWorkedAt === null) {
    return <Quiet>{t("neverCalled")}</Quiet>;
  }
  const worked = t("workedAt", { date: format.dateTime(lastWorkedAt) });
  const left = remark === null ? "" : words(...splitFailure(remark));
  return (
    <State title={left === "" ? worked : `${left} · ${worked}`}>
      {left === "" ? t("works") : capitalized(left)}
      <small>{worked}</small>
    </State>
  );
}

/** What deleting an integration changes: names where it is used. */
export function useDeleteText(): (use: Use) => string {
  const t = useMessages(integrationMessages);
  const uses = useUses();
  return (use) => {
    const used = uses(use);
    return used === "" ? t("deleteUnused") : t("deleteUsed", { used });
  };
}

function useUses(): (use: Use) => string {
  const t = useMessages(integrationMessages);
  return ({ queues, connections }) =>
    [
      ...queues.map(({ name }) => t("usedByQueue", { name })),
      ...connections.map(({ name }) => t("usedByConnection", { name })),
    ].join(", ");
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const State = styled("span")({
  display: "block",
  maxWidth: "100%",
  overflow: "hidden",
  textOverflow: "ellipsis",
  "& > small": { display: "block", fontSize: 12, color: color.ink2, overflow: "hidden", textOverflow: "ellipsis" },
});
const Fault = styled(State)({ color: color.danger });
const Quiet = styled("span")({ color: color.ink2 });
