import type { Contact } from "@prosa/contract/contacts";
import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { InfoDialog } from "#web/ui/dialogs/InfoDialog.tsx";
import { ErrorState } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { toast } from "#web/ui/Toast.tsx";
import { downloadExport, exportsOptions, useRequestExport } from "./privacy.api.ts";
import { privacyMessages } from "./privacy.i18n.ts";

/** Asks for an archive of all data of a contact, and downloads those that are ready (V-02). */
export function ExportDialog({ contact, onClose }: { readonly contact: Contact; readonly onClose: () => void }) {
  const t = useMessages(privacyMessages);
  const format = useFormat();
  const query = useQuery(exportsOptions(contact.id));
  const request = useRequestExport(contact.id);
  const records = query.data?.records ?? [];
  const isWaiting = records.some(({ state }) => state === "waiting");
  return (
    <InfoDialog title={t("exportTitle", { name: contact.name })} onClose={onClose} width="sm">
      <Text>{t("exportText")}</Text>
      {query.error && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      <List>
        {records.map((record) => (
          <li key={record.id}>
            <span>
              {format.dateTime(record.requestedAt)}
              <small>
                {record.state === "finished"
                  ? t("readyUntil", {
                      size: format.bytes(record.size ?? 0),
                      at: record.expiresAt ? format.date(record.expiresAt) : "",
                    })
                  : t(record.state === "failed" ? "exportFailed" : "preparing")}
              </small>
            </span>
            {record.state === "finished" && (
              <Button
                icon={<Download size={16} />}
                onClick={() =>
                  void downloadExport(record, t("archiveName")).catch((error: unknown) => toast.failure(error))
                }
              >
                {t("download")}
              </Button>
            )}
          </li>
        ))}
      </List>
      <Button
        kind="primary"
        disabled={request.isPending || isWaiting}
        onClick={() => request.mutate(undefined, { onError: (error) => toast.failure(error) })}
      >
        {t("exportVerb")}
      </Button>
    </InfoDialog>
  );
}

const Text = styled("p")({ margin: "0 0 12px", color: color.ink2 });

const List = styled("ul")({
  margin: "0 0 14px",
  padding: 0,
  listStyle: "none",
  "& li": {
    display: "flex",
    alignItems: "center",
    justifyContent: "space-between",
    flexWrap: "wrap",
    gap: 8,
    padding: "8px 0",
    borderBottom: `1px solid ${color.line}`,
  },
  "& small": { display: "block", fontSize: 12, color: color.ink2 },
});
