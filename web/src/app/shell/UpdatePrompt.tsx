import { useEffect, useState } from "react";
import { RefreshCw } from "lucide-react";
import { reloadPage, whenMayLeave } from "#web/lib/routing/router.tsx";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { appMessages } from "#web/app/app.i18n.ts";
import { watchForUpdate } from "./update.ts";

/** Offers to reload for a newer build; never reloads by itself. */
export function UpdatePrompt() {
  const t = useMessages(appMessages);
  const [isThere, setThere] = useState(false);
  useEffect(() => watchForUpdate(() => setThere(true)), []);
  return isThere ? (
    <Button
      kind="primary"
      icon={<RefreshCw size={14} />}
      aria-label={`${t("newVersion")}: ${t("update")}`}
      onClick={() => whenMayLeave(reloadPage)}
    >
      {t("update")}
    </Button>
  ) : null;
}
