import { styled } from "./styled.ts";
import { color, media } from "./theme.ts";

/** The numbers of a chart as a table, folded away: for screen readers, and for who wants to copy them. */
export function ChartTable(props: {
  /** The words that unfold it. */
  readonly summary: string;
  /** Names the table. */
  readonly label: string;
  /** Heads of the columns; the first is that of the rows' names. */
  readonly columns: readonly string[];
  /** `values` as they are shown, one for each further column. Two rows may have the same name. */
  readonly rows: readonly { readonly name: string; readonly values: readonly string[] }[];
}) {
  const { summary, label, columns, rows } = props;
  return (
    <Details>
      <summary>{summary}</summary>
      <Scroller tabIndex={0} role="region" aria-label={label}>
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, values }, row) => (
              <tr key={`${row} ${name}`}>
                <th scope="row">{name}</th>
                {values.map((value, column) => (
                  <td key={columns[column + 1]}>{value}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroller>
    </Details>
  );
}

const Details = styled("details")({
  marginTop: "auto",
  fontSize: 13,
  "& summary": { width: "fit-content", padding: "4px 0", color: color.ink2, cursor: "pointer" },
  [media.coarse]: { "& summary": { padding: "13px 0" } },
  "& table": { width: "100%", borderCollapse: "collapse" },
  "& th": { padding: "3px 12px 3px 0", textAlign: "left", fontWeight: 400, overflowWrap: "anywhere" },
  "& thead th": { color: color.ink2, fontSize: 12, whiteSpace: "nowrap" },
  "& td, & thead th:not(:first-child)": { textAlign: "right", fontVariantNumeric: "tabular-nums" },
});
const Scroller = styled("div")({ maxHeight: 260, overflow: "auto", marginTop: 6 });
