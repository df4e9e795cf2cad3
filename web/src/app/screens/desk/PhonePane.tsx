import { X } from "lucide-react";
import { useEffect, type KeyboardEvent } from "react";
import { useConnectionStates } from "#web/features/connections/index.ts";
import { PhoneScreen, simulatorMessages } from "#web/features/simulator/index.ts";
import { keyArea } from "#web/lib/browser/key-owner.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { IconButton } from "#web/ui/IconButton.tsx";
import { styled } from "#web/ui/styled.ts";
import { color, size } from "#web/ui/theme.ts";
import { choosePhoneChat, closePhoneBeside, usePhoneBeside } from "./phoneBeside.ts";

/** The simulator's phone beside the desk: one writes as the customer and answers as the agent in one window (Z-05). */
export function PhonePane({ isAlone }: { readonly isAlone: boolean }) {
  const t = useMessages(simulatorMessages);
  const phone = usePhoneBeside();
  const lines = useConnectionStates();
  const line = lines?.find(({ id, provider }) => id === phone?.connectionId && provider === "simulator");
  const isGone = lines !== undefined && line === undefined;
  useEffect(() => {
    // deleted, or of the company of who used this browser before
    if (isGone) {
      closePhoneBeside();
    }
  }, [isGone]);
  if (!phone || !line) {
    return null;
  }
  const title = t("besideTitle", { line: line.name });
  return (
    <Pane {...keyArea.own} aria-label={title} data-alone={isAlone || undefined} onKeyDown={keepEscape}>
      <header>
        <b title={title}>{title}</b>
        <IconButton label={t("besideClose")} onClick={closePhoneBeside}>
          <X />
        </IconButton>
      </header>
      <PhoneScreen connectionId={phone.connectionId} chosen={phone.chosen} onChoose={choosePhoneChat} />
    </Pane>
  );
}

/** Escape on the phone closes nothing at the desk. */
function keepEscape(event: KeyboardEvent): void {
  if (event.key === "Escape") {
    event.stopPropagation();
  }
}

const Pane = styled("aside")({
  flex: "none",
  display: "flex",
  flexDirection: "column",
  width: size.phoneBeside,
  minHeight: 0,
  borderLeft: `1px solid ${color.line}`,
  backgroundColor: color.panel,
  "&[data-alone]": { flex: 1, width: "auto", borderLeft: 0 },
  "& > header": {
    flex: "none",
    display: "flex",
    alignItems: "center",
    gap: 8,
    padding: "8px 8px 8px 16px",
    borderBottom: `1px solid ${color.line}`,
  },
  "& > header b": {
    flex: 1,
    minWidth: 0,
    overflow: "hidden",
    textOverflow: "ellipsis",
    whiteSpace: "nowrap",
    fontWeight: 600,
  },
});
