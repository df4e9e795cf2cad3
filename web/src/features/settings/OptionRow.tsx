import { styled } from "#web/ui/styled.ts";
import { useId, type ReactNode } from "react";
import { color, media } from "#web/ui/theme.ts";

/** One option: label, hint, and the control at the right, which gets the ids of both. */
export function OptionRow(props: {
  readonly label: string;
  readonly hint: ReactNode;
  readonly children: (control: { readonly id: string; readonly "aria-describedby": string }) => ReactNode;
}) {
  const id = useId();
  return (
    <Row>
      <div>
        <label htmlFor={id}>{props.label}</label>
        <p id={`${id}-hint`}>{props.hint}</p>
      </div>
      {props.children({ id, "aria-describedby": `${id}-hint` })}
    </Row>
  );
}

/** A titled group of options. */
export function OptionGroup(props: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Group aria-label={props.title}>
      <h2>{props.title}</h2>
      <div>{props.children}</div>
    </Group>
  );
}

const Row = styled("div")({
  display: "grid",
  gridTemplateColumns: "minmax(0, 1fr) minmax(32px, auto)",
  alignItems: "center",
  gap: "4px 24px",
  minHeight: 60,
  padding: "10px 16px",
  borderTop: `1px solid ${color.line}`,
  "&:first-of-type": { borderTop: 0 },
  "& label": { fontWeight: 500, cursor: "pointer" },
  "& p": { fontSize: 12.5, lineHeight: 1.4, color: color.ink2 },
  "& > [role=combobox]": { width: 240 },
  // the frame of a `NumberInput`, which has the field and why its number is refused
  "& > :has(> [inputmode])": { width: 96 },
  "& > * > [inputmode]": { textAlign: "right" },
  "& > input[role=switch]": { justifySelf: "end" },
  [media.phone]: {
    "& > [role=combobox]": { gridColumn: "1 / -1", width: "100%" },
  },
});

const Group = styled("section")({
  "& h2": { margin: "0 0 8px", fontSize: 13, fontWeight: 600, color: color.ink2 },
  "& > div": { border: `1px solid ${color.line}`, borderRadius: 8, backgroundColor: color.panel, overflow: "hidden" },
});
