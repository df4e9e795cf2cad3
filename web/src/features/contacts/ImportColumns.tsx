import {
  columnRoles,
  type ColumnRole,
  type ImportColumns as Columns,
  type SheetPreview,
} from "@prosa/contract/contact-imports";
import { useEffect, useRef, useState } from "react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { SwitchField } from "#web/ui/fields/Field.tsx";
import { Select } from "#web/ui/select/Select.tsx";
import { styled } from "#web/ui/styled.ts";
import { color, media } from "#web/ui/theme.ts";
import { columnsOf } from "./file-import.ts";
import { importColumnsMessages } from "./import-columns.i18n.ts";

interface Props {
  readonly fileName: string;
  readonly preview: SheetPreview;
  readonly onStart: (columns: Columns) => void;
  readonly onCancel: () => void;
}

/** Asks what each column of a file holds, beside its first rows; the likeliest choice is made already (C-03). */
export function ImportColumns({ fileName, preview, onStart, onCancel }: Props) {
  const t = useMessages(importColumnsMessages);
  const [columns, setColumns] = useState(preview.columns);
  const [hasHeadings, setHasHeadings] = useState(preview.headingLine !== null);
  const title = useRef<HTMLElement>(null);
  // The question appears above the list: whoever reads by ear or by keyboard is led to it.
  useEffect(() => title.current?.focus(), []);

  const firstLine = preview.rows[0]?.line ?? 1;
  const count = (role: ColumnRole) => columns.filter((column) => column.role === role).length;
  const isComplete = count("name") > 0 && count("number") > 0;
  const note = isComplete ? (count("number") > 1 ? t("several") : undefined) : t("missing");
  const choose = (index: number, role: ColumnRole) =>
    setColumns(columns.map((column) => (column.index === index ? { ...column, role } : column)));
  const start = () => onStart(columnsOf({ ...preview, columns, headingLine: hasHeadings ? firstLine : null }));

  return (
    <Root aria-label={t("title", { file: fileName })}>
      <p>
        <b ref={title} tabIndex={-1}>
          {t("title", { file: fileName })}
        </b>{" "}
        {t(preview.unclear ?? "extra")}
      </p>
      <Scroller tabIndex={0} role="region" aria-label={t("preview")}>
        <table>
          <thead>
            <tr>
              {columns.map(({ index, heading, role }) => (
                <th key={index} scope="col">
                  <Select
                    aria-label={t("column", { name: heading || index + 1 })}
                    data-ignored={role === "ignore" || undefined}
                    value={role}
                    onChange={({ target }) => choose(index, target.value as ColumnRole)}
                  >
                    {columnRoles.map((each) => (
                      <option key={each} value={each}>
                        {t(`role_${each}`)}
                      </option>
                    ))}
                  </Select>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {preview.rows.map(({ line, cells }) => (
              <tr key={line} data-heading={(hasHeadings && line === firstLine) || undefined}>
                {cells.map((cell, at) => (
                  <td key={columns[at]?.index} data-ignored={columns[at]?.role === "ignore" || undefined} title={cell}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroller>
      <SwitchField
        label={t("hasHeadings", { line: firstLine })}
        type="checkbox"
        role="switch"
        checked={hasHeadings}
        onChange={({ target }) => setHasHeadings(target.checked)}
      />
      <Footer>
        <span role="status" data-wrong={!isComplete || undefined}>
          {note}
        </span>
        <Button kind="quiet" onClick={onCancel}>
          {t("cancel")}
        </Button>
        <Button kind="primary" disabled={!isComplete} onClick={start}>
          {t("start")}
        </Button>
      </Footer>
    </Root>
  );
}

const Root = styled("section")({
  display: "flex",
  flexDirection: "column",
  gap: 10,
  padding: "12px 20px",
  borderBottom: `1px solid ${color.line}`,
  fontSize: 13,
  "& > p": { overflowWrap: "anywhere" },
  "& b:focus": { outline: 0 },
});
const Scroller = styled("div")({
  overflow: "auto",
  maxHeight: "40vh",
  border: `1px solid ${color.line}`,
  borderRadius: 8,
  backgroundColor: color.panel,
  "& table": { borderCollapse: "collapse", minWidth: "100%" },
  "& th, & td": { padding: "6px 10px", textAlign: "left", minWidth: 140, maxWidth: 260 },
  "& th": { position: "sticky", top: 0, backgroundColor: color.panel, borderBottom: `1px solid ${color.line}` },
  "& td": { overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap", borderTop: `1px solid ${color.line}` },
  "& td[data-ignored]": { color: color.ink2 },
  "& tr[data-heading] td": { fontWeight: 600 },
});
const Footer = styled("div")({
  display: "flex",
  alignItems: "center",
  justifyContent: "flex-end",
  flexWrap: "wrap",
  gap: 8,
  "& > span": { flex: "1 1 200px", color: color.ink2, [media.phone]: { flexBasis: "100%" } },
  "& > span[data-wrong]": { color: color.danger },
});
