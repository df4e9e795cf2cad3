import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";

/** Names and values under each other; those without a value are left out. */
export function Facts({ rows }: { readonly rows: readonly (readonly [string, string | undefined])[] }) {
  return (
    <List>
      {rows.map(
        ([name, value], index) =>
          value && (
            <div key={index}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </List>
  );
}

const List = styled("dl")({
  margin: 0,
  "& > div": {
    display: "grid",
    gridTemplateColumns: "minmax(96px, 2fr) 3fr",
    gap: 12,
    padding: "8px 0",
    borderBottom: `1px solid ${color.line}`,
  },
  "& dt": { color: color.ink2 },
  "& dd": { margin: 0, overflowWrap: "anywhere", fontVariantNumeric: "tabular-nums" },
});
