import type { Ticket } from "@prosa/contract/tickets";
import { Unplug } from "lucide-react";
import { memo, useEffect, useState } from "react";
import { lineTrouble, useConnectionStates } from "#web/features/connections/index.ts";
import { Link } from "#web/lib/routing/router.tsx";
import { useCan } from "#web/lib/session/permissions.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { deskMessages } from "#web/app/screens/desk/desk.i18n.ts";

/** A line that reconnects within this time is no news (ms). */
const SAID_AFTER_MS = 2_000;

/** Says above the composer that the conversation's line is down or deleted, and what happens to what is sent. */
export const LineNotice = memo(function LineNotice({ whatsappId }: Pick<Ticket, "whatsappId">) {
  const t = useMessages(deskMessages);
  const maySee = useCan("drawer-admin-items:view");
  const trouble = lineTrouble(whatsappId, useConnectionStates());
  const isSaid = useLasting(trouble !== undefined, SAID_AFTER_MS);

  if (!trouble || !isSaid) {
    return null;
  }
  return (
    <Line role="status">
      <Unplug aria-hidden />
      <span>
        {trouble.kind === "deleted" ? t("lineDeleted") : t("lineDown", { name: trouble.name })}
        {maySee && (
          <>
            {" "}
            <Link to="/connections">{t("toConnections")}</Link>
          </>
        )}
      </span>
    </Line>
  );
});

/** True once it has been true for so many ms. */
function useLasting(isTrue: boolean, ms: number): boolean {
  const [isLasting, setLasting] = useState(false);
  useEffect(() => {
    if (!isTrue) {
      setLasting(false);
      return undefined;
    }
    const timer = setTimeout(() => setLasting(true), ms);
    return () => clearTimeout(timer);
  }, [isTrue, ms]);
  return isTrue && isLasting;
}

const Line = styled("p")({
  display: "flex",
  alignItems: "flex-start",
  gap: 8,
  padding: "4px 4px 8px",
  fontSize: 13,
  lineHeight: 1.4,
  color: color.warningInk,
  "& svg": { flex: "none", width: 16, height: 16, marginTop: 1 },
  "& a": { color: color.accent, fontWeight: 600 },
});
