import { paletteColors } from "@prosa/contract/colors";
import { Check } from "lucide-react";
import { useId, type KeyboardEvent, type ReactNode } from "react";
import { defineMessages, useMessages } from "#web/lib/text/i18n.ts";
import { readableOn } from "#web/ui/contrast.ts";
import { Input } from "./Field.tsx";
import { nextCell } from "#web/ui/palette.ts";
import { styled } from "#web/ui/styled.ts";
import { color, media, size } from "#web/ui/tokens.ts";

const noneTaken: ReadonlyMap<string, string> = new Map();

/** A palette of 49 colours, with the taken ones marked; any other colour can be typed as hex (Q-01, O-04). */
export function ColorField(props: {
  readonly value: string;
  readonly onChange: (color: string) => void;
  /** Taken colours, each with the name of whoever has it. */
  readonly taken?: ReadonlyMap<string, string>;
  /** What the colour is for, drawn in it; a square by default. */
  readonly sample?: ReactNode;
  readonly error: string | undefined;
}) {
  const { value, onChange, taken = noneTaken, error } = props;
  const t = useMessages(messages);
  const id = useId();
  const chosen = paletteColors.findIndex((each) => each === value.toLowerCase());

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const cells = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=radio]")];
    const columns = getComputedStyle(event.currentTarget).gridTemplateColumns.split(" ").length;
    const next = nextCell(cells.indexOf(document.activeElement as HTMLElement), event.key, columns);
    if (next !== undefined) {
      event.preventDefault();
      cells[next]?.focus();
    }
  };

  return (
    <Root>
      <header>
        <span id={id}>{t("color")}</span>
        {props.sample ?? <Sample aria-hidden style={{ backgroundColor: value }} />}
        <Input
          aria-label={t("otherColor")}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          value={value}
          maxLength={9}
          spellCheck={false}
          onChange={(event) => onChange(event.target.value.trim())}
        />
      </header>
      {error && (
        <p id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
      <Grid role="radiogroup" aria-labelledby={id} onKeyDown={onKeyDown}>
        {paletteColors.map((each, index) => {
          const owner = taken.get(each);
          const isChosen = index === chosen;
          const name = owner === undefined ? each : t("colorTaken", { color: each, name: owner });
          return (
            <Swatch
              key={each}
              type="button"
              role="radio"
              aria-checked={isChosen}
              aria-label={name}
              title={name}
              tabIndex={isChosen || (chosen < 0 && index === 0) ? 0 : -1}
              data-taken={owner !== undefined || undefined}
              style={{ backgroundColor: each, color: readableOn(each) }}
              onClick={() => onChange(each)}
            >
              {isChosen && <Check aria-hidden size={14} strokeWidth={3} />}
            </Swatch>
          );
        })}
      </Grid>
    </Root>
  );
}

const Root = styled("div")({
  display: "flex",
  flexDirection: "column",
  gap: 8,
  "& > header": { display: "flex", alignItems: "center", gap: 8, fontSize: 13, fontWeight: 500 },
  "& > header > span:first-of-type": { flex: 1 },
  "& > header > input": { width: 112, fontVariantNumeric: "tabular-nums" },
  "& > p": { fontSize: 12, color: color.danger },
});
const Sample = styled("i")({ width: 24, height: 24, borderRadius: 6, border: `1px solid ${color.line}` });
const Grid = styled("div")({
  display: "grid",
  gridTemplateColumns: "repeat(14, minmax(0, 1fr))",
  gap: 4,
  [media.phone]: { gridTemplateColumns: "repeat(7, minmax(0, 1fr))" },
  [media.coarse]: { gridTemplateColumns: "repeat(auto-fill, minmax(44px, 1fr))" },
});
const Swatch = styled("button")({
  display: "grid",
  placeItems: "center",
  height: 26,
  padding: 0,
  border: 0,
  borderRadius: 6,
  cursor: "pointer",
  "&[aria-checked='true']": { boxShadow: `0 0 0 2px ${color.panel}, 0 0 0 4px ${color.accent}` },
  // a taken colour can be chosen, but saving it is refused until the other queue has another one
  "&[data-taken]:not([aria-checked='true'])": {
    opacity: 0.35,
    backgroundImage: "linear-gradient(135deg, transparent 46%, currentColor 46%, currentColor 54%, transparent 54%)",
  },
  [media.phone]: { height: 36 },
  [media.coarse]: { height: size.finger },
});

const messages = defineMessages({
  pt: { color: "Cor", otherColor: "Código da cor", colorTaken: "{color}, usada por {name}" },
  en: { color: "Colour", otherColor: "Colour code", colorTaken: "{color}, used by {name}" },
  es: { color: "Color", otherColor: "Código del color", colorTaken: "{color}, usado por {name}" },
});
