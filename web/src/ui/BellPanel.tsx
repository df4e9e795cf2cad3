/** Parts of the panel that opens from a bell of the top bar: head, rows and empty state. */
import type { ReactNode } from "react";
import { styled } from "./styled.ts";
import { color } from "./tokens.ts";

export function BellEmpty({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <Nothing>
      <b>{title}</b>
      <span>{text}</span>
    </Nothing>
  );
}

/** A row with title and text of one line each, cut off if too long. */
export function BellRow(props: {
  /** A picture at the left. */
  readonly mark?: ReactNode;
  readonly title: string;
  readonly text: string;
  /** Shown below the text. */
  readonly children?: ReactNode;
  /** Stacked at the right. */
  readonly side: ReactNode;
  readonly onOpen: () => void;
}) {
  return (
    <Row type="button" onClick={props.onOpen}>
      {props.mark}
      <Words>
        <b>{props.title}</b>
        <small>{props.text}</small>
        {props.children}
      </Words>
      <Side>{props.side}</Side>
    </Row>
  );
}

export const BellHead = styled("header")({
  display: "flex",
  alignItems: "center",
  justifyContent: "space-between",
  minHeight: 44,
  padding: "8px 8px 8px 14px",
  borderBottom: `1px solid ${color.line}`,
  "& h2": { margin: 0, fontSize: 14, fontWeight: 600 },
});
export const BellList = styled("ul")({ margin: 0, padding: 6, listStyle: "none", maxHeight: 420, overflowY: "auto" });

const Nothing = styled("p")({
  display: "flex",
  flexDirection: "column",
  gap: 4,
  margin: 0,
  padding: "28px 20px",
  textAlign: "center",
  "& span": { color: color.ink2 },
});
const Row = styled("button")({
  display: "flex",
  alignItems: "center",
  gap: 10,
  width: "100%",
  padding: 8,
  border: 0,
  borderRadius: 8,
  background: "none",
  color: "inherit",
  font: "inherit",
  textAlign: "left",
  cursor: "pointer",
  "&:hover": { backgroundColor: color.hover },
  "& small": { fontSize: 12, color: color.ink2 },
});
const Words = styled("span")({
  flex: 1,
  minWidth: 0,
  display: "flex",
  flexDirection: "column",
  alignItems: "flex-start",
  gap: 2,
  "& > b, & > small": { maxWidth: "100%", overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" },
  "& > b": { fontWeight: 600 },
});
const Side = styled("span")({
  flex: "none",
  alignSelf: "flex-start",
  display: "flex",
  flexDirection: "column",
  alignItems: "flex-end",
  gap: 3,
});
