/** How is the code of what a click opens fetched, and what if it does not arrive? */
import { useEffect, useState, type ComponentType } from "react";
import { useStableCallback } from "#web/lib/browser/useStableCallback.ts";
import { currentLanguage, defineMessages, translator } from "#web/lib/text/i18n.ts";
import { toast } from "./Toast.tsx";

/** What is opened by a click, and closed again. */
export interface Closable {
  readonly onClose: () => void;
}

/**
 * A component whose code is fetched when it is first shown; on the way `Waiting` is shown. Where it cannot be fetched a toast says
 * so and `onClose` is called: what lies below stays, with what was typed there, and the next click tries again. Not `lazy`: what has
 * arrived is rendered with the click, and what arrives later is not held back by React's throttle of fallbacks (300 ms).
 */
export function lateComponent<P>(
  load: () => Promise<ComponentType<P>>,
  Waiting: ComponentType<P & Closable>,
): ComponentType<P & Closable> {
  let known: ComponentType<P> | undefined;
  return function LateComponent(props: P & Closable) {
    const [Arrived, setArrived] = useState(() => known);
    const close = useStableCallback(props.onClose);
    useEffect(() => {
      let isShown = true;
      if (!known) {
        load().then(
          (arrived) => {
            known = arrived;
            setArrived(() => arrived);
          },
          () => isShown && closeMissing(close),
        );
      }
      return () => {
        isShown = false;
      };
    }, [close]);
    return Arrived ? <Arrived {...props} /> : <Waiting {...props} />;
  };
}

/** Closes what was to open, and says that its code could not be fetched. */
export function closeMissing(close: () => void): void {
  toast.error(translator(messages, currentLanguage())("missing"));
  close();
}

const messages = defineMessages({
  pt: {
    missing: "Não foi possível abrir. Verifique a internet e tente de novo; se não adiantar, recarregue a página.",
  },
  en: { missing: "It could not be opened. Check your internet and try again; if that does not help, reload the page." },
  es: { missing: "No se pudo abrir. Revise su internet e inténtelo de nuevo; si no ayuda, recargue la página." },
});
