import { useEffect, useState, type ComponentType } from "react";
import { HeldKeys } from "#web/lib/browser/typed-ahead.ts";
import { OpeningDialog } from "#web/ui/Opening.tsx";

/** A click is answered within 200 ms; what is opened sooner does not flash. */
const SHOW_AFTER_MS = 120;

/**
 * A dialog whose code is fetched when it opens: `lateDialog(async () => (await import("./HelpSheet.tsx")).HelpSheet)`. While the
 * code is on its way the page darkens under a progress bar, and Escape takes the click back. Not `lazy`: what has arrived is
 * rendered with the click, and what arrives later is not held back by React's throttle of fallbacks (300 ms).
 */
export function lateDialog<P extends { readonly onClose: () => void }>(
  load: () => Promise<ComponentType<P>>,
): ComponentType<P> {
  let known: ComponentType<P> | undefined;
  return function LateDialog(props: P) {
    const [Dialog, setDialog] = useState(() => known);
    const [failure, setFailure] = useState<unknown>();
    useEffect(() => {
      if (!known) {
        load().then((arrived) => {
          known = arrived;
          setDialog(() => arrived);
        }, setFailure);
      }
    }, []);
    if (failure !== undefined) {
      // the error boundary offers to load the page again
      throw failure;
    }
    return Dialog ? <Dialog {...props} /> : <Waiting onCancel={props.onClose} />;
  };
}

function Waiting({ onCancel }: { readonly onCancel: () => void }) {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), SHOW_AFTER_MS);
    const onKey = (event: KeyboardEvent) => event.key === "Escape" && onCancel();
    window.addEventListener("keydown", onKey);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("keydown", onKey);
    };
  }, [onCancel]);
  return (
    <>
      <HeldKeys />
      {isLong && <OpeningDialog />}
    </>
  );
}
