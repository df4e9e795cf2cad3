import { styled } from "#web/ui/styled.ts";
import { useState } from "react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { setVolume, useVolume, volumeStep } from "#web/lib/browser/volume.ts";
import { color } from "#web/ui/theme.ts";
import { appMessages } from "#web/app/app.i18n.ts";

/** The slider with its label. */
export function VolumeSlider() {
  const t = useMessages(appMessages);
  const stored = useVolume();
  const [volume, change] = useState(stored);
  return (
    <Panel>
      <label htmlFor="volume">{t("volume")}</label>
      <output htmlFor="volume">{t("volumeValue", { percent: Math.round(volume * 100) })}</output>
      <input
        id="volume"
        type="range"
        min={0}
        max={1}
        step={volumeStep}
        value={volume}
        // Its keys do not move between menu entries; Escape still closes what it is in, and Ctrl K works everywhere.
        onKeyDown={(event) => {
          if (event.key !== "Escape" && !event.ctrlKey && !event.metaKey) {
            event.stopPropagation();
          }
        }}
        onChange={(event) => {
          change(event.target.valueAsNumber);
          setVolume(event.target.valueAsNumber);
        }}
      />
    </Panel>
  );
}

const Panel = styled("div")({
  display: "grid",
  gridTemplateColumns: "1fr auto",
  gap: "8px 12px",
  padding: 16,
  fontSize: 13,
  "& output": { color: color.ink2 },
  "& input": { gridColumn: "1 / -1", width: "100%", margin: 0, accentColor: color.accent },
});
