import { AlertTriangle } from "lucide-react";
import { useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import { needsReload, watch } from "#web/lib/realtime/socket.ts";
import { reloadPage, whenMayLeave } from "#web/lib/routing/router.tsx";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Banner } from "#web/ui/Banner.ts";
import { Button } from "#web/ui/Button.tsx";
import { usePlace } from "./place.ts";
import { reloadMessages } from "./reload-notice.i18n.ts";

/** The banner above every screen while the page gets no events and only a reload helps (N-05): it never reloads by itself. */
export function ReloadNotice() {
  const t = useMessages(reloadMessages);
  const isShown = useSyncExternalStore(watch, needsReload);
  const place = usePlace(isShown);
  return (
    isShown &&
    place &&
    createPortal(
      <Banner role="status">
        <AlertTriangle size={16} aria-hidden />
        <span>{t("text")}</span>
        <Button onClick={() => whenMayLeave(reloadPage)}>{t("reload")}</Button>
      </Banner>,
      place,
    )
  );
}
