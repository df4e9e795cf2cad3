import { useMessages } from "#web/lib/text/i18n.ts";
import { Pills } from "#web/ui/Pills.ts";
import { styled } from "#web/ui/styled.ts";
import { color, media } from "#web/ui/theme.ts";
import { dashboardMessages } from "./dashboard.i18n.ts";
import { rangeNames, type RangeName } from "./ranges.ts";

/** The ranges at one click (D-01); the last chip leads to the fields of any other. */
export function RangeChips(props: {
  readonly range: RangeName | undefined;
  readonly onRange: (range: RangeName) => void;
  readonly onOther: () => void;
}) {
  const t = useMessages(dashboardMessages);
  return (
    <Row role="group" aria-label={t("ranges")}>
      {rangeNames.map((name) => (
        <button key={name} type="button" aria-pressed={name === props.range} onClick={() => props.onRange(name)}>
          {t(name)}
        </button>
      ))}
      <button type="button" aria-pressed={props.range === undefined} onClick={props.onOther}>
        {t("otherRange")}
      </button>
    </Row>
  );
}

const Row = styled(Pills)({
  "& button": { fontSize: 13, backgroundColor: color.panel },
  "@media (pointer: fine)": { "& button": { minHeight: 32, padding: "3px 12px", borderRadius: 16 } },
  [media.phone]: { "& button": { flex: "1 0 auto" } },
});
