import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Person, Presence } from "#web/ui/Person.tsx";
import { Skeleton } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { color, media } from "#web/ui/theme.ts";
import type { Figures } from "./dashboard.api.ts";
import { dashboardMessages } from "./dashboard.i18n.ts";
import { finishedByOthers } from "./remainder.ts";

/** Each attendant in the range, and whether they are online (D-03); below them what none of them finished. */
export function AttendantsTable({ figures }: { readonly figures: Figures | undefined }) {
  const t = useMessages(dashboardMessages);
  const format = useFormat();
  const others = figures ? finishedByOthers(figures) : 0;
  return (
    <Scroll tabIndex={0} role="region" aria-label={t("attendants")}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("name")}</th>
            <th scope="col">{t("rating")}</th>
            <th scope="col" data-align="right">
              {t("avgSupport")}
            </th>
            <th scope="col" data-align="right">
              {t("tickets")}
            </th>
            <th scope="col">{t("status")}</th>
          </tr>
        </thead>
        <tbody>
          {figures?.attendants.map((row) => (
            <tr key={row.id}>
              <th scope="row">
                <Person name={row.name} />
              </th>
              <td data-title={t("rating")}>
                <Rating rating={row.rating} />
              </td>
              <td data-align="right" data-title={t("avgSupport")}>
                {format.minutes(row.avgSupportTime)}
              </td>
              <td data-align="right" data-title={t("tickets")}>
                {format.number(row.tickets)}
              </td>
              <td>
                <Presence isOnline={row.online} />
              </td>
            </tr>
          ))}
          {others > 0 && (
            <tr>
              <th scope="row" colSpan={3}>
                <Faint>{t("others")}</Faint>
              </th>
              <td data-align="right" data-title={t("tickets")}>
                {format.number(others)}
              </td>
              <td />
            </tr>
          )}
          {!figures &&
            [70, 50, 60].map((width) => (
              <tr key={width}>
                <td colSpan={5}>
                  <Skeleton style={{ width: `${width}%` }} />
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </Scroll>
  );
}

/** The mean rating of 1 to 3 as a number and as a label. */
function Rating({ rating }: { readonly rating: number | null }) {
  const t = useMessages(dashboardMessages);
  const format = useFormat();
  if (rating === null) {
    return <Faint>{t("noRating")}</Faint>;
  }
  const word = rating < 1.5 ? "rating1" : rating < 2.5 ? "rating2" : "rating3";
  return (
    <span>
      {format.number(rating)} <Faint>· {t(word)}</Faint>
    </span>
  );
}

const Scroll = styled("div")({
  overflow: "auto",
  maxHeight: 420,
  "& table": { width: "100%", minWidth: 560, borderCollapse: "collapse", fontSize: 13 },
  "& thead th": {
    position: "sticky",
    top: 0,
    padding: "8px 16px",
    fontSize: 12,
    fontWeight: 500,
    textAlign: "left",
    color: color.ink2,
    backgroundColor: color.panel,
    borderBottom: `1px solid ${color.line}`,
    zIndex: 1,
  },
  "& tbody th, & td": { height: 44, padding: "0 16px", textAlign: "left", fontWeight: 400, whiteSpace: "nowrap" },
  "& tbody tr + tr > *": { borderTop: `1px solid ${color.line}` },
  "& tbody th": { maxWidth: 280 },
  "& [data-align='right']": { textAlign: "right", fontVariantNumeric: "tabular-nums" },
  // a card: the name beside its state, then one line per figure with its title
  [media.phone]: {
    maxHeight: "none",
    "& table": { display: "block", minWidth: 0 },
    "& thead, & td:empty": { display: "none" },
    "& tbody": { display: "block" },
    "& tbody tr": {
      display: "grid",
      gridTemplateColumns: "minmax(0, 1fr) auto",
      gap: "4px 8px",
      padding: "8px 16px 10px",
    },
    "& tbody tr + tr": { borderTop: `1px solid ${color.line}` },
    "& tbody tr > *": { height: "auto", padding: 0, whiteSpace: "normal" },
    "& tbody tr + tr > *": { borderTop: 0 },
    "& tbody th": { maxWidth: "none", fontSize: 14, fontWeight: 500 },
    "& td:last-child": { gridRow: 1, gridColumn: 2, alignSelf: "center" },
    "& [colspan]": { gridColumn: "1 / -1" },
    "& td[data-title]": { gridColumn: "1 / -1", display: "flex", justifyContent: "space-between", gap: 12 },
    "& td[data-title]::before": { content: "attr(data-title)", color: color.ink2 },
  },
});
const Faint = styled("span")({ color: color.ink2 });
