import { ColorDot } from "#web/ui/Chip.tsx";
import { styled } from "#web/ui/styled.ts";
import { color, media, size } from "#web/ui/tokens.ts";

/** Checkboxes for a few items, with their colours where they have some, as queues do. With `isOrdered` the order of ticking counts and is shown. */
export function CheckList(props: {
  readonly label: string;
  readonly note?: string | undefined;
  readonly error?: string | undefined;
  readonly items: readonly { readonly id: number; readonly name: string; readonly color?: string }[];
  readonly chosen: readonly number[];
  readonly onChange: (chosen: number[]) => void;
  readonly isOrdered?: boolean;
}) {
  const { chosen, onChange } = props;
  return (
    <Root>
      <legend>{props.label}</legend>
      {props.note && <small>{props.note}</small>}
      {props.items.map(({ id, name, color: tint }) => {
        const place = chosen.indexOf(id);
        const isChosen = place !== -1;
        return (
          <label key={id}>
            <input
              type="checkbox"
              checked={isChosen}
              onChange={() => onChange(isChosen ? chosen.filter((other) => other !== id) : [...chosen, id])}
            />
            {tint !== undefined && <ColorDot tint={tint} />}
            <span data-name>{name}</span>
            {props.isOrdered && isChosen && <b>{place + 1}</b>}
          </label>
        );
      })}
      {props.error !== undefined && <small role="alert">{props.error}</small>}
    </Root>
  );
}

const Root = styled("fieldset")({
  display: "flex",
  flexDirection: "column",
  gap: 2,
  margin: 0,
  padding: 0,
  border: 0,
  minWidth: 0,
  "& legend": { padding: 0, fontSize: 13, fontWeight: 500 },
  "& small": { fontSize: 12, color: color.ink2 },
  "& label": { display: "flex", alignItems: "center", gap: 8, minHeight: 32, padding: "4px 0", cursor: "pointer" },
  [media.coarse]: { "& label": { minHeight: size.finger } },
  "& input": { flex: "none", width: 16, height: 16, margin: 0, accentColor: color.accent },
  "& small[role=alert]": { color: color.danger },
  "& [data-name]": { flex: 1, minWidth: 0, overflowWrap: "anywhere" },
  "& b": { fontSize: 12, color: color.accent },
});
