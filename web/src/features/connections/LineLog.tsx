import { Dialog } from "#web/ui/Dialog.tsx";
import { styled } from "#web/ui/styled.ts";
import type { Connection } from "@prosa/contract/connections";
import { useQuery } from "@tanstack/react-query";
import { useFormat } from "#web/lib/format.ts";
import { useMessages } from "#web/lib/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { ErrorState, Skeleton } from "#web/ui/states.tsx";
import { color } from "#web/ui/theme.ts";
import { lineLogOptions } from "./connections.api.ts";
import { connectionMessages } from "./connections.i18n.ts";

/** What happened on a line lately, for whoever wonders why it was away. */
export function LineLog({ connection, onClose }: { readonly connection: Connection; readonly onClose: () => void }) {
  const t = useMessages(connectionMessages);
  const format = useFormat();
  const query = useQuery(lineLogOptions(connection.id));
  return (
    <Dialog open onClose={onClose} maxWidth="sm" fullWidth aria-labelledby="log-title">
      <Body>
        <h2 id="log-title">
          {t("log")} · {connection.name}
        </h2>
        {query.isPending && <Skeleton style={{ height: 80 }} />}
        {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
        {query.data?.length === 0 && <p>{t("logEmpty")}</p>}
        <ol>
          {query.data?.map((entry, index) => (
            <li key={index}>
              <time>{format.dateTime(entry.at)}</time>
              <b>{entry.event}</b>
              {entry.detail && <span>{entry.detail}</span>}
            </li>
          ))}
        </ol>
        <footer>
          <Button onClick={onClose}>{t("close")}</Button>
        </footer>
      </Body>
    </Dialog>
  );
}

const Body = styled("div")({
  display: "flex",
  flexDirection: "column",
  gap: 12,
  minHeight: 0,
  padding: 20,
  "& h2": { fontSize: 16, fontWeight: 600 },
  "& ol": { overflowY: "auto", maxHeight: "60vh" },
  "& li": {
    display: "flex",
    flexWrap: "wrap",
    gap: "2px 10px",
    padding: "6px 0",
    borderBottom: `1px solid ${color.line}`,
    fontSize: 13,
    overflowWrap: "anywhere",
  },
  "& time, & li span, & p": { color: color.ink2 },
  "& b": { fontWeight: 500 },
  "& footer": { display: "flex", justifyContent: "flex-end" },
});
