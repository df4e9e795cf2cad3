import { styled } from "#web/ui/styled.ts";
import type { Connection } from "@prosa/contract/connections";
import { simulator } from "@prosa/contract/simulator";
import {
  Activity,
  Check,
  History,
  Pencil,
  Plus,
  QrCode,
  RotateCw,
  Smartphone,
  Trash2,
  Unplug,
  Waypoints,
} from "lucide-react";
import { useState } from "react";
import { useMedia } from "#web/lib/browser/hooks.ts";
import { navigate } from "#web/lib/routing/location.ts";
import { useOpenedBy } from "#web/lib/routing/useOpenedBy.ts";
import {
  ConnectionDialog,
  connectionMessages,
  connectionsRealtime,
  ConnectionState,
  hasFallen,
  HealthSentence,
  LineHealth,
  LineLog,
  QrDialog,
  useConnections,
  useRemoveConnection,
  useSessionAction,
} from "#web/features/connections/index.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { useCan } from "#web/lib/session/permissions.ts";
import { phoneText } from "#web/lib/text/phone.ts";
import { registerRealtime } from "#web/lib/realtime/realtime.ts";
import { call, useUser } from "#web/lib/session/session.ts";
import { Button } from "#web/ui/Button.tsx";
import { confirm } from "#web/ui/dialogs/Confirm.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { ListScreen, type Column } from "#web/ui/ListScreen.tsx";
import { EmptyState } from "#web/ui/states.tsx";
import { toast } from "#web/ui/Toast.tsx";
import { color } from "#web/ui/theme.ts";
import { AssistantChoice } from "./AssistantChoice.tsx";

registerRealtime(connectionsRealtime);

/** /connections: the company's connections with status and actions (W-01). */
export function Connections() {
  const t = useMessages(connectionMessages);
  const query = useConnections();
  const { hasSimulator } = useUser();
  const canAdd = useCan("connections-page:addConnection");
  const canEdit = useCan("connections-page:editOrDeleteConnection");
  const [isAdding, setAdding] = useOpenedBy("new");
  const [edited, setEdited] = useState<Connection>();
  const [qrFor, setQrFor] = useState<number>();
  const [logOf, setLogOf] = useState<Connection>();
  const [healthOf, setHealthOf] = useState<number>();
  const rows = query.data ?? [];
  // from the list, not kept with the dialog: the QR changes meanwhile
  const linking = rows.find(({ id }) => id === qrFor);
  const examined = rows.find(({ id }) => id === healthOf);
  const add = canAdd && (
    <Button kind="primary" icon={<Plus size={16} />} onClick={() => setAdding(true)}>
      {t("add")}
    </Button>
  );

  return (
    <>
      <ListScreen
        title={t("title")}
        count={query.data?.length}
        columns={useColumns(setQrFor)}
        rows={rows}
        isLoading={query.isPending}
        error={query.error}
        onRetry={() => void query.refetch()}
        {...(canEdit && {
          rowActions: (row: Connection) => (
            <RowActions
              connection={row}
              onEdit={() => setEdited(row)}
              onLog={() => setLogOf(row)}
              onHealth={() => setHealthOf(row.id)}
            />
          ),
        })}
        action={add}
        empty={
          <EmptyState
            icon={<Waypoints />}
            title={t("empty")}
            text={hasSimulator ? `${t("emptyText")} ${t("emptySimulated")}` : t("emptyText")}
            action={add}
          />
        }
      />
      {((isAdding && canAdd) || edited) && (
        <ConnectionDialog
          connection={edited}
          onClose={() => {
            setAdding(false);
            setEdited(undefined);
          }}
          onSaved={(saved) => edited === undefined && setQrFor(saved.id)}
          assistants={(chosen) => <AssistantChoice {...chosen} />}
        />
      )}
      {linking && (
        <QrDialog
          connection={linking}
          onClose={() => setQrFor(undefined)}
          onScan={
            linking.provider === "simulator" ? () => call(simulator.scan, { params: { id: linking.id } }) : undefined
          }
        />
      )}
      {examined && <LineHealth connection={examined} onClose={() => setHealthOf(undefined)} />}
      {logOf && <LineLog connection={logOf} onClose={() => setLogOf(undefined)} />}
    </>
  );
}

function useColumns(onQr: (id: number) => void): Column<Connection>[] {
  const t = useMessages(connectionMessages);
  const format = useFormat();
  const canControl = useCan("connections-page:actionButtons");
  const isNarrow = useMedia(narrow);
  const all: Column<Connection>[] = [
    {
      key: "name",
      title: t("name"),
      cell: (row) =>
        isNarrow ? (
          <Named>
            <b title={row.name}>{row.name}</b>
            <small>
              {[row.number && phoneText(row.number), row.isDefault && t("default")].filter(Boolean).join(" · ")}
            </small>
          </Named>
        ) : (
          row.name
        ),
      width: "minmax(120px, 2fr)",
    },
    {
      key: "number",
      title: t("numberColumn"),
      cell: (row) => (row.number ? phoneText(row.number) : "–"),
      width: "minmax(136px, 1fr)",
      isWideOnly: true,
    },
    {
      key: "state",
      title: t("state"),
      cell: (row) => (
        <State>
          <ConnectionState connection={row} />
          {row.status === "CONNECTED" && <HealthSentence connection={row} />}
        </State>
      ),
      width: "minmax(150px, 2fr)",
    },
    ...(canControl
      ? [
          {
            key: "session",
            title: t("session"),
            cell: (row: Connection) => <SessionButtons connection={row} onQr={onQr} />,
            // as wide as its longest button in each language
            width: "minmax(172px, 1fr)",
          },
        ]
      : []),
    {
      key: "updated",
      title: t("updated"),
      cell: (row) => `${format.date(row.updatedAt).replace(/\/20(\d\d)$/u, "/$1")} ${format.time(row.updatedAt)}`,
      width: "120px",
    },
    {
      key: "default",
      title: t("default"),
      cell: (row) =>
        row.isDefault ? <Yes role="img" aria-label={t("yes")} /> : <span role="img" aria-label={t("no")} />,
      width: "72px",
    },
  ];
  return isNarrow ? all.filter(({ key }) => !belowName.has(key)) : all;
}

/** Where all columns have no room: number and default go below the name, the time is the history's. */
const narrow = "(min-width: 600px) and (max-width: 1099.95px)";
const belowName: ReadonlySet<string> = new Set(["number", "updated", "default"]);

/** The buttons of a connection, by its status (specification 2, section 4). */
function SessionButtons({
  connection,
  onQr,
}: {
  readonly connection: Connection;
  readonly onQr: (id: number) => void;
}) {
  const t = useMessages(connectionMessages);
  const session = useSessionAction();
  const run = (verb: "start" | "renew") =>
    session.mutate(
      { id: connection.id, verb },
      { onSuccess: () => verb === "renew" && onQr(connection.id), onError: (error) => toast.failure(error) },
    );
  const stop = () =>
    void confirm({
      title: t("stopTitle", { name: connection.name }),
      text: withUnlinkByHand(connection, t("stopText"), t("unlinkByHand")),
      verb: t("disconnect"),
      isDangerous: true,
      run: () => session.mutateAsync({ id: connection.id, verb: "stop" }),
    });

  const disconnect = (
    <Button icon={<Unplug size={15} />} onClick={stop}>
      {t("disconnect")}
    </Button>
  );

  switch (connection.status) {
    case "qrcode":
    case "PAIRING":
      return (
        <Buttons>
          <Button kind="primary" icon={<QrCode size={15} />} onClick={() => onQr(connection.id)}>
            {t(connection.status === "PAIRING" ? "showCode" : "showQr")}
          </Button>
          {connection.status === "PAIRING" && disconnect}
        </Buttons>
      );
    case "DISCONNECTED":
      if (connection.pendingNumber !== null) {
        return (
          <Buttons>
            <Button kind="primary" onClick={() => onQr(connection.id)}>
              {t("decide")}
            </Button>
          </Buttons>
        );
      }
      return (
        <Buttons>
          <Button icon={<RotateCw size={15} />} isBusy={session.isPending} onClick={() => run("start")}>
            {t("tryAgain")}
          </Button>
          <Button icon={<QrCode size={15} />} disabled={session.isPending} onClick={() => run("renew")}>
            {t("newQr")}
          </Button>
        </Buttons>
      );
    case "OPENING":
      return (
        <Buttons>
          <Button disabled isBusy>
            {t("connecting")}
          </Button>
        </Buttons>
      );
    default:
      return <Buttons>{disconnect}</Buttons>;
  }
}

/** Where no process runs the line, nobody unlinks its device. */
function withUnlinkByHand(connection: Connection, text: string, unlinkByHand: string): string {
  return hasFallen(connection) ? `${text} ${unlinkByHand}` : text;
}

function RowActions(props: {
  readonly connection: Connection;
  readonly onEdit: () => void;
  readonly onLog: () => void;
  readonly onHealth: () => void;
}) {
  const { connection } = props;
  const { hasSimulator } = useUser();
  const t = useMessages(connectionMessages);
  const remove = useRemoveConnection();
  const ask = () =>
    void confirm({
      title: t("deleteTitle", { name: connection.name }),
      text: withUnlinkByHand(connection, t("deleteText"), t("unlinkByHand")),
      verb: t("deleteVerb"),
      isDangerous: true,
      run: () => remove.mutateAsync(connection.id),
    }).then((isDone) => isDone && toast.success(t("deleted")));

  return (
    <>
      {hasSimulator && connection.provider === "simulator" && (
        <IconButton label={t("openPhone")} onClick={() => navigate(`/simulator/${connection.id}`)}>
          <Smartphone />
        </IconButton>
      )}
      <IconButton label={t("health")} onClick={props.onHealth}>
        <Activity />
      </IconButton>
      <IconButton label={t("log")} onClick={props.onLog}>
        <History />
      </IconButton>
      <IconButton label={t("edit")} onClick={props.onEdit}>
        <Pencil />
      </IconButton>
      <IconButton label={t("delete")} onClick={ask}>
        <Trash2 />
      </IconButton>
    </>
  );
}

const State = styled("span")({ display: "block", minWidth: 0, padding: "5px 0" });
const Buttons = styled("span")({ display: "flex", flexWrap: "wrap", gap: 6, padding: "5px 0" });
const Named = styled("span")({
  display: "flex",
  flexDirection: "column",
  minWidth: 0,
  padding: "5px 0",
  "& > *": { overflow: "hidden", textOverflow: "ellipsis" },
  "& b": { fontWeight: 500 },
  "& small": { fontSize: 12, lineHeight: 1.35, color: color.ink2, whiteSpace: "normal" },
});
const Yes = styled(Check)({ width: 18, height: 18, verticalAlign: "middle", color: color.accent });
