import { Compass } from "lucide-react";
import { navigate } from "#web/lib/routing/location.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { EmptyState } from "#web/ui/states.tsx";
import { appMessages } from "#web/app/app.i18n.ts";

export function NotFound() {
  const t = useMessages(appMessages);
  return (
    <EmptyState
      icon={<Compass />}
      title={t("notFound")}
      text={t("notFoundText")}
      action={
        <Button kind="primary" onClick={() => navigate("/tickets")}>
          {t("goToTickets")}
        </Button>
      }
    />
  );
}
