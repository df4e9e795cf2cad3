import { useEffect, useState, type ComponentType } from "react";
import { HeldKeys } from "#web/lib/browser/typed-ahead.ts";
import { lateComponent } from "#web/ui/lateComponent.tsx";
import { OpeningDialog } from "#web/ui/Opening.tsx";

/** A click is answered within 200 ms; what is opened sooner does not flash. */
const SHOW_AFTER_MS = 120;

/**
 * A dialog whose code is fetched when it opens: `lateDialog(async () => (await import("./HelpSheet.tsx")).HelpSheet)`. While the
 * code is on its way the page darkens under a progress bar, and Escape takes the click back.
 */
export function lateDialog<P extends { readonly onClose: () => void }>(
  load: () => Promise<ComponentType<P>>,
): ComponentType<P> {
  return lateComponent(load, Waiting);
}

function Waiting({ onClose }: { readonly onClose: () => void }) {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), SHOW_AFTER_MS);
    const onKey = (event: KeyboardEvent) => event.key === "Escape" && onClose();
    window.addEventListener("keydown", onKey);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("keydown", onKey);
    };
  }, [onClose]);
  return (
    <>
      <HeldKeys />
      {isLong && <OpeningDialog />}
    </>
  );
}
