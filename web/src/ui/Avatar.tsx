import { styled } from "./styled.ts";
import { useState } from "react";
import { authorColorVariable } from "./tokens.ts";

/** A picture, or initials on a colour that depends only on the name. */
export function Avatar(props: {
  readonly name: string;
  readonly image?: string | null | undefined;
  readonly size?: number;
}) {
  const { name, image, size = 40 } = props;
  const [failed, setFailed] = useState<string>();
  const style = { width: size, height: size, fontSize: Math.round(size * 0.36) };

  return image && image !== failed ? (
    <Picture src={image} alt="" loading="lazy" decoding="async" style={style} onError={() => setFailed(image)} />
  ) : (
    <Letters aria-hidden data-letters={initialsOf(name)} style={{ ...style, backgroundColor: tintOf(name) }} />
  );
}

/** "João Pedro Nascimento" → "JN"; "+55 85…" → "+5". */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^[\p{L}\p{N}+]/u.test(word));
  const first = words[0] ?? "?";
  const last = words.at(-1) ?? first;
  const isName = /^\p{L}/u.test(first);
  const letters = isName && words.length > 1 ? firstLetter(first) + firstLetter(last) : [...first].slice(0, 2).join("");
  return letters.toLocaleUpperCase();
}

/** White text has a contrast of at least 4.5:1 on each. */
export const avatarTints = [
  "#b83280",
  "#2c7a64",
  "#6b57d2",
  "#96640f",
  "#2f68b4",
  "#8c567a",
  "#55557a",
  "#b4472d",
  "#3e7487",
  "#7a6a1d",
] as const;

export function tintOf(name: string): string {
  return avatarTints[indexOf(name)] ?? avatarTints[0];
}

/** The colour of a name as text in a bubble: that of its initials, made readable in the theme. */
export function authorColor(name: string): string {
  return authorColorVariable(indexOf(name));
}

function indexOf(name: string): number {
  let hash = 0;
  for (const character of name) {
    hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 2_147_483_647;
  }
  return hash % avatarTints.length;
}

function firstLetter(word: string): string {
  return [...word][0] ?? "";
}

const Letters = styled("span")({
  flex: "none",
  display: "inline-flex",
  alignItems: "center",
  justifyContent: "center",
  borderRadius: "50%",
  color: "#ffffff",
  fontWeight: 600,
  lineHeight: 1,
  // The initials are a picture, not text: neither copied nor part of a button's accessible name.
  "&::before": { content: "attr(data-letters)" },
});

const Picture = styled("img")({ flex: "none", borderRadius: "50%", objectFit: "cover" });
