import { Volume1, Volume2, VolumeX } from "lucide-react";
import { Suspense } from "react";
import { lazyOrNothing } from "#web/lib/browser/lazy-or-nothing.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { useVolume } from "#web/lib/browser/volume.ts";
import { IconButton } from "#web/ui/IconButton.tsx";
import { Popover } from "#web/ui/Popover.tsx";
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
      <LateVolumeSlider />
    </Popover>
  );
}

// Where it cannot be fetched, the rest of the account menu stays: a phone signs out there.
const VolumeSlider = lazyOrNothing(async () => (await import("./VolumeSlider.tsx")).VolumeSlider);

/** The slider with its label, for the popover and the phone's account menu; fetched when one of them opens. */
export function LateVolumeSlider() {
  return (
    <Suspense fallback={<div style={{ height: 72 }} />}>
      <VolumeSlider />
    </Suspense>
  );
}
