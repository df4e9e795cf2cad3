import type { ContactImport } from "@prosa/contract/contact-imports";
import { csvLine } from "@prosa/contract/csv";
import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useState } from "react";
import { downloadCsv } from "#web/lib/api/download.ts";
import { serverNow } from "#web/lib/session/clock.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { ProgressBar } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { toast } from "#web/ui/Toast.tsx";
import { isRunning, latestImportOptions, useCancelImport } from "./contact-list.api.ts";
import { contactListMessages } from "./contact-list.i18n.ts";
import type { FileImport } from "./file-import.ts";
import { ImportColumns } from "./ImportColumns.tsx";

/** What the panel shows of an import, of whatever it takes in. */
export type ShownImport = Omit<ContactImport, "source">;

interface PanelProps {
  readonly fileImport: FileImport;
  readonly current: ShownImport | null | undefined;
  /** What imports it has: ids of different ones may be the same. */
  readonly kind: string;
  readonly cancel: {
    readonly isPending: boolean;
    readonly mutate: (importId: number, then: { readonly onError: (error: Error) => void }) => void;
  };
  /** Saves every refused row. Default: those of the report. */
  readonly onSaveRefused?: () => void;
}

/** Progress of the user's import into the address book, or its report (C-03). */
export function ContactImportPanel({ fileImport }: Pick<PanelProps, "fileImport">) {
  const current = useQuery(latestImportOptions).data;
  return <ImportPanel {...{ fileImport, current, cancel: useCancelImport(), kind: "contacts" }} />;
}

/** Progress of an import, or its report. It runs on the server and goes on when the page is left. */
export function ImportPanel({ fileImport, current, cancel, kind, onSaveRefused }: PanelProps) {
  const t = useMessages(contactListMessages);
  const [closed, setClosed] = useState(() => new Set(closedImports));

  const { progress, asking } = fileImport;
  if (progress !== undefined) {
    return (
      <Panel role="status">
        <b>{t("uploading")}</b>
        <ProgressBar label={t("uploading")} value={progress} />
      </Panel>
    );
  }
  if (asking) {
    const { file, preview } = asking;
    return (
      <ImportColumns
        {...{ fileName: file.name, preview }}
        onStart={(columns) => void fileImport.start(columns)}
        onCancel={fileImport.cancel}
      />
    );
  }
  const key = `${kind} ${current?.id}`;
  if (!current || closed.has(key) || isOld(current)) {
    return null;
  }
  const close = () => {
    closedImports.add(key);
    setClosed(new Set(closedImports));
  };
  return isRunning(current) ? (
    <Running {...{ current, cancel }} />
  ) : (
    <Report {...{ current, onSaveRefused }} onClose={close} />
  );
}

/** Imports whose report was closed: it stays closed when the page is opened again. */
const closedImports = new Set<string>();

/** A report older than this is not shown any more. */
const reportShownMs = 60 * 60_000;

function isOld({ finishedAt }: ShownImport): boolean {
  return finishedAt !== null && serverNow() - Date.parse(finishedAt) > reportShownMs;
}

function Running({ current, cancel }: { readonly current: ShownImport } & Pick<PanelProps, "cancel">) {
  const t = useMessages(contactListMessages);
  const { done, total } = current;
  const words =
    total === 0 ? t("reading", { file: current.fileName ?? t("fromPhone") }) : t("progress", { done, total });
  return (
    <Panel role="status">
      <header>
        <b>{words}</b>
        <Button
          kind="quiet"
          isBusy={cancel.isPending}
          onClick={() => cancel.mutate(current.id, { onError: (error) => toast.failure(error) })}
        >
          {t("cancel")}
        </Button>
      </header>
      <ProgressBar label={t("import")} value={total === 0 ? undefined : done / total} />
    </Panel>
  );
}

function Report(props: {
  readonly current: ShownImport;
  readonly onClose: () => void;
  readonly onSaveRefused: (() => void) | undefined;
}) {
  const { current, onClose } = props;
  const t = useMessages(contactListMessages);
  const { state, created, known, refused, refusedRows } = current;
  const title = t(state === "failed" ? "failed" : state === "cancelled" ? "cancelled" : "finished");
  const saveRefused = () => {
    const rows = refusedRows.map((row) => [row.line, row.name, row.number, t(`reason_${row.reason}`)]);
    downloadCsv(
      "recusados.csv",
      [[t("line"), t("name"), t("number"), t("reason")], ...rows].map((cells) => csvLine(cells)).join(""),
    );
  };
  return (
    <Panel role="status" data-wrong={state === "failed" || undefined}>
      <header>
        <span>
          <b>{title}</b>{" "}
          {current.failure
            ? t(`failure_${current.failure}`)
            : [
                t("created", { count: created }),
                ...(known > 0 ? [t("known", { count: known })] : []),
                ...(refused > 0 ? [t("refused", { count: refused })] : []),
              ].join(" · ")}
        </span>
        <IconButton label={t("close")} size="small" onClick={onClose}>
          <X />
        </IconButton>
      </header>
      {refusedRows.length > 0 && (
        <details>
          <summary>{t("showRefused")}</summary>
          <Scroller tabIndex={0} role="region" aria-label={t("showRefused")}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{t("line")}</th>
                  <th scope="col">{t("name")}</th>
                  <th scope="col">{t("number")}</th>
                  <th scope="col">{t("reason")}</th>
                </tr>
              </thead>
              <tbody>
                {refusedRows.map((row) => (
                  <tr key={row.line}>
                    <td>{row.line}</td>
                    <td>{row.name}</td>
                    <td>{row.number}</td>
                    <td>{t(`reason_${row.reason}`)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroller>
          {refusedRows.length < refused && <p>{t("shownRefused", { shown: refusedRows.length, count: refused })}</p>}
          <Button onClick={props.onSaveRefused ?? saveRefused}>{t("saveRefused")}</Button>
        </details>
      )}
    </Panel>
  );
}

const Scroller = styled("div")({ maxHeight: 220, overflow: "auto", margin: "8px 0" });
const Panel = styled("div")({
  display: "flex",
  flexDirection: "column",
  gap: 8,
  padding: "10px 20px",
  borderBottom: `1px solid ${color.line}`,
  backgroundColor: color.accentSoft,
  fontSize: 13,
  "&[data-wrong]": { backgroundColor: color.dangerSoft },
  "& header": { display: "flex", alignItems: "center", gap: 12, justifyContent: "space-between", minHeight: 32 },
  "& header > span": { minWidth: 0, overflowWrap: "anywhere" },
  "& summary": { cursor: "pointer", fontWeight: 500 },
  "& table": { borderCollapse: "collapse", minWidth: "max(100%, 460px)" },
  "& th, & td": { padding: "4px 12px 4px 0", textAlign: "left", verticalAlign: "top" },
  "& th": { position: "sticky", top: 0, fontSize: 12, color: color.ink2, backgroundColor: color.accentSoft },
});
