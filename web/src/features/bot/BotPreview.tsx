import { RotateCcw } from "lucide-react";
import { useState } from "react";
import { useConnections } from "#web/features/connections/index.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { useUser } from "#web/lib/session/session.ts";
import { instantOf } from "@prosa/contract/zoned-time";
import { DateTimeField } from "#web/ui/dates/DateTimeField.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { SelectField } from "#web/ui/fields/SelectField.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { botMessages } from "./bot.i18n.ts";
import { PreviewPhone } from "./PreviewPhone.tsx";

interface BotPreviewProps {
  readonly queueId: number;
  /** Another one starts the conversation again: the menu has changed, and the choices here stay. */
  readonly revision: number;
}

/** Bot preview: the user plays the customer against the real engine, without a line and without storing anything. */
export function BotPreview({ queueId, revision }: BotPreviewProps) {
  const t = useMessages(botMessages);
  const { timeZone } = useUser().company;
  const all = useConnections().data;
  const lines = (all ?? []).filter(({ queues }) => queues.some(({ id }) => id === queueId));
  const [connectionId, setConnectionId] = useState<number>();
  const [typedClock, setTypedClock] = useState("");
  /** The one that the conversation begins at: not at each key, which would begin it again. */
  const [clock, setClock] = useState("");
  const [isClosed, setClosed] = useState(false);
  const [restarts, setRestarts] = useState(0);

  return (
    <Root aria-label={t("preview")}>
      <header>
        <h3>{t("preview")}</h3>
        <IconButton label={t("restart")} size="small" onClick={() => setRestarts(restarts + 1)}>
          <RotateCcw />
        </IconButton>
      </header>
      <Choices>
        {all && lines.length === 0 && <p>{t("noConnection")}</p>}
        {lines.length > 0 && (
          <SelectField
            label={t("from")}
            value={connectionId ?? ""}
            onChange={({ target }) => setConnectionId(target.value === "" ? undefined : Number(target.value))}
          >
            <option value="">{t("fromQueue")}</option>
            {lines.map(({ id, name }) => (
              <option key={id} value={id}>
                {t("fromConnection", { name })}
              </option>
            ))}
          </SelectField>
        )}
        <DateTimeField
          label={t("at")}
          hint={clock === "" ? t("now") : undefined}
          value={typedClock}
          onChange={({ target }) => setTypedClock(target.value)}
          onBlur={({ target }) => setClock(target.value)}
        />
      </Choices>
      <PreviewPhone
        key={[revision, restarts, connectionId, clock].join(" ")}
        queueId={queueId}
        connectionId={connectionId}
        beginsAt={instantOf(clock, timeZone)}
        isClosed={isClosed}
        onClosedChange={setClosed}
      />
    </Root>
  );
}

const Root = styled("section")({
  display: "flex",
  flexDirection: "column",
  gap: 10,
  minWidth: 0,
  minHeight: 0,
  "& > header": { display: "flex", alignItems: "center", minHeight: 34 },
  "& > header > h3": { flex: 1, fontSize: 13, fontWeight: 600 },
});
const Choices = styled("div")({
  display: "flex",
  flexDirection: "column",
  gap: 10,
  "& > p": { fontSize: 12, color: color.ink2 },
});
