import type { Message } from "@prosa/contract/messages";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";

/** What the first address of a text leads to: title, description, picture and host, all as text of somebody else's page. */
export function LinkCard({ preview }: { readonly preview: NonNullable<Message["linkPreview"]> }) {
  return (
    <Card href={preview.url} target="_blank" rel="noopener noreferrer nofollow" data-testid="link-card">
      {preview.picture !== null && <img src={preview.picture} alt="" decoding="async" />}
      <span>
        <b>{preview.title}</b>
        {preview.description !== "" && <span>{preview.description}</span>}
        <small>{hostOf(preview.url)}</small>
      </span>
    </Card>
  );
}

/** The host that a person reads: without the www. */
function hostOf(url: string): string {
  try {
    return new URL(url).host.replace(/^www\./u, "");
  } catch {
    return url;
  }
}

const clamped = (lines: number) => ({
  display: "-webkit-box",
  WebkitBoxOrient: "vertical" as const,
  WebkitLineClamp: lines,
  overflow: "hidden",
  overflowWrap: "anywhere" as const,
  unicodeBidi: "plaintext" as const,
});

const Card = styled("a")({
  display: "flex",
  gap: 10,
  width: 340,
  maxWidth: "100%",
  margin: "6px 0 2px",
  borderRadius: 8,
  overflow: "hidden",
  backgroundColor: "color-mix(in srgb, currentColor 7%, transparent)",
  color: color.ink,
  fontSize: 13,
  lineHeight: 1.35,
  whiteSpace: "normal",
  "&:hover": { textDecoration: "none", backgroundColor: "color-mix(in srgb, currentColor 11%, transparent)" },
  "& > img": { flex: "none", width: 72, alignSelf: "stretch", minHeight: 72, objectFit: "cover" },
  "& > span": { flex: 1, minWidth: 0, display: "flex", flexDirection: "column", gap: 2, padding: "8px 10px 8px 0" },
  "& > span:first-child": { paddingLeft: 10 },
  "& b": { fontWeight: 600, ...clamped(2) },
  "& span > span": { color: color.ink2, fontSize: 12, ...clamped(2) },
  "& small": { color: color.ink2, fontSize: 12, overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" },
});
