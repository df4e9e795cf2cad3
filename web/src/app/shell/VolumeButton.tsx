import { styled } from "#web/ui/styled.ts";
import { Volume1, Volume2, VolumeX } from "lucide-react";
import { useState } from "react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { setVolume, useVolume, volumeStep } from "#web/lib/browser/volume.ts";
import { IconButton } from "#web/ui/IconButton.tsx";
import { Popover } from "#web/ui/Popover.tsx";
import { color } from "#web/ui/theme.ts";
import { appMessages } from "#web/app/app.i18n.ts";

/** Notification volume (S-04): 0 to 1 in steps of 0.1. */
export function VolumeButton() {
  const t = useMessages(appMessages);
  const volume = useVolume();
  const Icon = volume === 0 ? VolumeX : volume < 0.5 ? Volume1 : Volume2;
  return (
    <Popover
      label={t("volume")}
      width={260}
      opener={(opener) => (
        <IconButton label={t("volume")} {...opener}>
          <Icon />
        </IconButton>
      )}
    >
      <VolumeSlider />
    </Popover>
  );
}

/** The slider with its label, for the popover and the phone's account menu. */
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
