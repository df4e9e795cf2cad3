import type { Connection } from "@prosa/contract/connections";
import { useQuery } from "@tanstack/react-query";
import { useMessages } from "#web/lib/text/i18n.ts";
import { HistoryDialog } from "#web/ui/dialogs/HistoryDialog.tsx";
import { lineLogOptions } from "./connections.api.ts";
import { connectionMessages } from "./connections.i18n.ts";
import { lineLogText } from "./line-log.ts";

/** The recent log of a line: connects, disconnects and their reasons. */
export function LineLog({ connection, onClose }: { readonly connection: Connection; readonly onClose: () => void }) {
  const t = useMessages(connectionMessages);
  const { data, error, refetch } = useQuery(lineLogOptions(connection.id));
  return (
    <HistoryDialog
      title={`${t("log")} · ${connection.name}`}
      entries={data?.map((entry) => {
        const { title, reason, code, tone } = lineLogText(entry);
        const reasonText = reason && t(reason);
        return {
          at: entry.at,
          title: t(title),
          text: code === undefined ? reasonText : [reasonText, t("log_code", { code })].filter(Boolean).join(" "),
          ...(tone && { tone }),
        };
      })}
      error={error}
      onRetry={() => void refetch()}
      emptyText={t("logEmpty")}
      onClose={onClose}
    />
  );
}
