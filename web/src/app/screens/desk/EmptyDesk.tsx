import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { MessagesSquare, Smartphone } from "lucide-react";
import { useConnectionStates, type LineState } from "#web/features/connections/index.ts";
import {
  areDone,
  FirstSteps,
  firstStepsMessages,
  firstStepsOptions,
  firstStepsRealtime,
  useHideFirstSteps,
} from "#web/features/first-steps/index.ts";
import { simulatorMessages } from "#web/features/simulator/index.ts";
import { ticketMessages } from "#web/features/tickets/index.ts";
import { useUser } from "#web/lib/session/session.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { phoneText } from "#web/lib/text/phone.ts";
import { registerRealtime } from "#web/lib/realtime/realtime.ts";
import { Button } from "#web/ui/Button.tsx";
import { EmptyState } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { toast } from "#web/ui/Toast.tsx";
import { openPhoneBeside, usePhoneBeside } from "./phoneBeside.ts";

registerRealtime(firstStepsRealtime);

/** The desk of an admin while no conversation is chosen: the first steps of a new company until they are done (Z-05). */
export function EmptyDesk() {
  const t = useMessages(ticketMessages);
  const stepsText = useMessages(firstStepsMessages);
  const query = useQuery(firstStepsOptions);
  const hide = useHideFirstSteps();
  const lines = useConnectionStates() ?? [];
  const steps = query.data;
  if (query.isPending) {
    return null;
  }
  if (steps && !areDone(steps) && !steps.isHidden) {
    return (
      <Scroller>
        <FirstSteps steps={steps} hasLine={lines.length > 0} howToWrite={<HowToWrite lines={lines} />} />
      </Scroller>
    );
  }
  const show = steps?.isHidden && !areDone(steps) && (
    <Button kind="quiet" onClick={() => hide.mutate(false, { onError: (error) => toast.failure(error) })}>
      {stepsText("show")}
    </Button>
  );
  return (
    <EmptyState
      icon={<MessagesSquare />}
      title={t("chooseTitle")}
      text={t("chooseText")}
      action={
        <Actions>
          <OpenPhone lines={lines} />
          {show}
        </Actions>
      }
    />
  );
}

/** For a narrow screen, which begins with the list: calls back where a new company has nothing in it yet. */
export function WhileFirstSteps({ onUndone }: { readonly onUndone: () => void }) {
  const steps = useQuery(firstStepsOptions).data;
  const isNew = steps !== undefined && !steps.message && !steps.isHidden;
  useEffect(() => {
    if (isNew) {
      onUndone();
    }
  }, [isNew, onUndone]);
  return null;
}

/** To a simulator line from its phone, to a real one from any other. */
function HowToWrite({ lines }: { readonly lines: readonly LineState[] }) {
  const t = useMessages(firstStepsMessages);
  const real = lines.find(({ provider, number }) => provider !== "simulator" && number !== null);
  if (real?.number) {
    return <p>{t("messageTo", { number: phoneText(real.number) })}</p>;
  }
  return (
    <>
      <p>{t("messageSimulated")}</p>
      <OpenPhone lines={lines} />
    </>
  );
}

function OpenPhone({ lines }: { readonly lines: readonly LineState[] }) {
  const t = useMessages(simulatorMessages);
  const phone = usePhoneBeside();
  const { hasSimulator } = useUser();
  const simulated = lines.filter(({ provider }) => hasSimulator && provider === "simulator");
  const line = simulated.find(({ status }) => status === "CONNECTED") ?? simulated[0];
  if (!line || simulated.some(({ id }) => id === phone?.connectionId)) {
    return null;
  }
  return (
    <Button icon={<Smartphone size={16} />} onClick={() => openPhoneBeside(line.id)}>
      {t("besideOpen")}
    </Button>
  );
}

const Scroller = styled("div")({
  display: "grid",
  placeItems: "center",
  width: "100%",
  height: "100%",
  minHeight: 0,
  padding: 16,
  overflowY: "auto",
});
const Actions = styled("div")({ display: "flex", flexWrap: "wrap", justifyContent: "center", gap: 8 });
