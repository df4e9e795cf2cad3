import { styled } from "./styled.ts";
import { color, media } from "./tokens.ts";

/** The first cell of a row of a list: its name, and in smaller letters below it what tells it from others. */
export function NameAndNote({ name, note }: { readonly name: string; readonly note: string }) {
  return (
    <>
      <Line title={name}>{name}</Line>
      {note !== "" && (
        <Line as="small" title={note}>
          {note}
        </Line>
      )}
    </>
  );
}

const Line = styled("span")({
  display: "block",
  overflow: "hidden",
  textOverflow: "ellipsis",
  "&:is(small)": { fontSize: 12, fontWeight: 400, color: color.ink2 },
  [media.phone]: { overflowWrap: "anywhere" },
});
