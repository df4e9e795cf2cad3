import { styled } from "#web/ui/styled.ts";
import { useMemo } from "react";
import { color } from "#web/ui/theme.ts";
import { parseRichText, type Piece } from "./rich-text.ts";

/** A message's text with WhatsApp's formatting (M-03). */
export function RichText({ text }: { readonly text: string }) {
  const pieces = useMemo(() => parseRichText(text), [text]);
  return <Pieces pieces={pieces} />;
}

function Pieces({ pieces }: { readonly pieces: readonly Piece[] }) {
  return pieces.map((piece, index) => <OnePiece key={index} piece={piece} />);
}

function OnePiece({ piece }: { readonly piece: Piece }) {
  switch (piece.kind) {
    case "text":
      return piece.text;
    case "break":
      return <br />;
    case "bold":
      return (
        <b>
          <Pieces pieces={piece.pieces} />
        </b>
      );
    case "italic":
      return (
        <i>
          <Pieces pieces={piece.pieces} />
        </i>
      );
    case "strike":
      return (
        <s>
          <Pieces pieces={piece.pieces} />
        </s>
      );
    case "code":
      return <Code data-block={piece.isBlock || undefined}>{piece.text}</Code>;
    case "link":
      return (
        <Link href={piece.href} target="_blank" rel="noopener noreferrer nofollow">
          {piece.text}
        </Link>
      );
  }
}

const Code = styled("code")({
  padding: "0 3px",
  borderRadius: 4,
  fontFamily: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace",
  fontSize: "0.92em",
  backgroundColor: color.chip,
  whiteSpace: "pre-wrap",
  "&[data-block]": { display: "block", padding: 8, margin: "4px 0" },
});

const Link = styled("a")({ textDecoration: "underline", textUnderlineOffset: 2, overflowWrap: "anywhere" });
