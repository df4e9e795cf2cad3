import { styled } from "./styled.ts";
import { color } from "./tokens.ts";

/** A text in a cell of a list that is read to its end, on as many lines as it takes; other cells are cut. */
export const WholeText = styled("span")({
  display: "block",
  padding: "4px 0",
  lineHeight: 1.35,
  whiteSpace: "normal",
  overflowWrap: "anywhere",
});

/** What is wrong. */
export const FaultText = styled(WholeText)({ color: color.danger });
