import { AlertTriangle } from "lucide-react";
import { useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import { isPartGone, watchParts } from "#web/lib/browser/lazy-or-nothing.ts";
import { needsReload, watch } from "#web/lib/realtime/socket.ts";
import { reloadPage, whenMayLeave } from "#web/lib/routing/router.tsx";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Banner } from "#web/ui/Banner.ts";
import { Button } from "#web/ui/Button.tsx";
import { usePlace } from "./place.ts";
import { reloadMessages } from "./reload-notice.i18n.ts";

/**
 * The banner above every screen while only a reload helps: the page gets no events, or a part of it is gone from the server (N-05). It
 * never reloads by itself.
 */
export function ReloadNotice() {
  const t = useMessages(reloadMessages);
  const isDeaf = useSyncExternalStore(watch, needsReload);
  const isIncomplete = useSyncExternalStore(watchParts, isPartGone);
  const isShown = isDeaf || isIncomplete;
  const place = usePlace(isShown);
  return (
    isShown &&
    place &&
    createPortal(
      <Banner role="status">
        <AlertTriangle size={16} aria-hidden />
        <span>{t(isDeaf ? "text" : "partGone")}</span>
        <Button onClick={() => whenMayLeave(reloadPage)}>{t("reload")}</Button>
      </Banner>,
      place,
    )
  );
}
