import { Smartphone } from "lucide-react";
import { Link, Redirect, useParams } from "#web/lib/routing/router.tsx";
import { useConnections } from "#web/features/connections/index.ts";
import { simulatorMessages, SimulatorPhone } from "#web/features/simulator/index.ts";
import { navigate } from "#web/lib/routing/location.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { EmptyState, ErrorState, ProgressBar } from "#web/ui/states.tsx";
import { openPhoneBeside } from "./desk/phoneBeside.ts";

/** /simulator/:connectionId: the simulated phone of a simulator line; without an id, of the first one. */
export function Simulator() {
  const t = useMessages(simulatorMessages);
  const { connectionId } = useParams();
  const query = useConnections();
  if (query.isPending) {
    return <ProgressBar label={t("title")} />;
  }
  if (query.isError) {
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  }
  const lines = query.data.filter(({ provider }) => provider === "simulator");
  const line = lines.find(({ id }) => String(id) === connectionId);
  if (line) {
    const showBeside = () => {
      openPhoneBeside(line.id);
      navigate("/tickets");
    };
    return <SimulatorPhone key={line.id} connectionId={line.id} onBeside={showBeside} />;
  }
  const [first] = lines;
  return first ? (
    <Redirect to={`/simulator/${first.id}`} />
  ) : (
    <EmptyState
      icon={<Smartphone />}
      title={t("noLine")}
      text={t("noLineText")}
      action={<Link to="/connections">{t("toConnections")}</Link>}
    />
  );
}
