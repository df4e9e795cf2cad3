import type { CompanyExport } from "@prosa/contract/company-exports";
import { useQuery } from "@tanstack/react-query";
import { Download, Trash2, X } from "lucide-react";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { isAdmin } from "#web/lib/session/permissions.ts";
import { useUser } from "#web/lib/session/session.ts";
import { Button } from "#web/ui/Button.tsx";
import { Card } from "#web/ui/Card.ts";
import { IconButton } from "#web/ui/IconButton.tsx";
import { confirm } from "#web/ui/dialogs/Confirm.tsx";
import { ErrorState, ProgressBar } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { toast } from "#web/ui/Toast.tsx";
import { downloadExport, exportsOptions, isOpen, useRemoveExport, useStartExport } from "./company-exports.api.ts";
import { companyExportMessages } from "./company-exports.i18n.ts";

/** Settings → privacy: everything of the company as one archive (E-09). Not for the operator's support, which takes nothing away. */
export function CompanyExportCard() {
  const user = useUser();
  return isAdmin(user) && !user.support ? <ExportCard /> : null;
}

function ExportCard() {
  const t = useMessages(companyExportMessages);
  const query = useQuery(exportsOptions);
  const start = useStartExport();
  const records = query.data?.records ?? [];
  return (
    <Card aria-label={t("title")}>
      <h2>{t("title")}</h2>
      <p>{t("text")}</p>
      {query.error && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {records.length > 0 && (
        <List>
          {records.map((record) => (
            <Line key={record.id} record={record} />
          ))}
        </List>
      )}
      <footer>
        <Button
          kind="primary"
          isBusy={start.isPending}
          disabled={!query.data || records.some(isOpen)}
          onClick={() => start.mutate(undefined, { onError: (error) => toast.failure(error) })}
        >
          {t("start")}
        </Button>
      </footer>
    </Card>
  );
}

function Line({ record }: { readonly record: CompanyExport }) {
  const t = useMessages(companyExportMessages);
  const format = useFormat();
  const remove = useRemoveExport();
  const { id, state, done, total } = record;
  const status = useStatus(record);
  const onError = (error: unknown) => toast.failure(error);
  const discard = async () => {
    const isDone = await confirm({
      title: t("removeTitle"),
      text: t("removeText"),
      verb: t("remove"),
      isDangerous: true,
      run: () => remove.mutateAsync(id),
    });
    if (isDone) {
      toast.success(t("removed"));
    }
  };
  return (
    <li>
      <div>
        {format.dateTime(record.requestedAt).slice(0, -3)}
        {record.userName !== null && ` · ${t("by", { name: record.userName })}`}
        <small role="status">{status}</small>
        {state === "running" && <ProgressBar label={status} value={total > 0 ? done / total : undefined} />}
      </div>
      {isOpen(record) && (
        <Button icon={<X size={15} />} isBusy={remove.isPending} onClick={() => remove.mutate(id, { onError })}>
          {t("cancel")}
        </Button>
      )}
      {state === "finished" && (
        <>
          <Button icon={<Download size={15} />} onClick={() => void downloadExport(id).catch(onError)}>
            {t("download")}
          </Button>
          <IconButton label={t("remove")} onClick={() => void discard()}>
            <Trash2 />
          </IconButton>
        </>
      )}
    </li>
  );
}

function useStatus({ state, failure, done, total, size, expiresAt }: CompanyExport): string {
  const t = useMessages(companyExportMessages);
  const format = useFormat();
  switch (state) {
    case "waiting":
      return t("waiting");
    case "running":
      return total === 0
        ? t("counting")
        : t("running", { done: format.number(done), total: format.number(Math.max(done, total)) });
    case "finished":
      return t("ready", {
        size: format.bytes(size ?? 0),
        at: expiresAt ? format.dateTime(expiresAt).slice(0, -3) : "",
      });
    case "cancelled":
      return t("cancelled");
    case "failed":
      return t(`failed_${failure ?? "failed"}`);
  }
}

const List = styled("ul")({
  margin: 0,
  padding: 0,
  listStyle: "none",
  "& li": {
    display: "flex",
    alignItems: "center",
    flexWrap: "wrap",
    gap: 8,
    padding: "8px 0",
    borderBottom: `1px solid ${color.line}`,
  },
  "& li > div": { flex: "1 1 220px", minWidth: 0, overflowWrap: "anywhere" },
  "& small": { display: "block", margin: "2px 0 4px", fontSize: 12, color: color.ink2 },
});
