import { Play } from "lucide-react";
import { useState } from "react";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { thumbnailUrl } from "./video.ts";

/** Width of the placeholder image that YouTube sends for an unknown video. */
const PLACEHOLDER_WIDTH = 120;

/** The video's thumbnail over a drawn background, which shows if the internet or the video is missing. */
export function VideoThumbnail({ video }: { readonly video: string }) {
  const [broken, setBroken] = useState<string>();
  return (
    <Frame aria-hidden data-picture>
      {broken !== video && (
        <img
          src={thumbnailUrl(video)}
          alt=""
          loading="lazy"
          referrerPolicy="no-referrer"
          onError={() => setBroken(video)}
          onLoad={({ currentTarget }) => currentTarget.naturalWidth <= PLACEHOLDER_WIDTH && setBroken(video)}
        />
      )}
      <span>
        <Play />
      </span>
    </Frame>
  );
}

const Frame = styled("span")({
  position: "relative",
  display: "grid",
  placeItems: "center",
  aspectRatio: "16 / 9",
  width: "100%",
  overflow: "hidden",
  background: `linear-gradient(135deg, ${color.accentSoft}, ${color.chip})`,
  "& img": { position: "absolute", inset: 0, width: "100%", height: "100%", objectFit: "cover" },
  "& > span": {
    position: "relative",
    display: "grid",
    placeItems: "center",
    width: 48,
    height: 48,
    borderRadius: "50%",
    backgroundColor: color.accent,
    color: color.onAccent,
  },
  "& svg": { width: 22, height: 22, marginLeft: 2 },
});
