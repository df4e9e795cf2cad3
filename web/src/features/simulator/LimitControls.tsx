import type { ResponseOf } from "@prosa/contract/endpoint";
import type { simulator } from "@prosa/contract/simulator";
import { useState } from "react";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { NumberField } from "#web/ui/fields/NumberField.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { toast } from "#web/ui/Toast.tsx";
import { useLimitLine } from "./simulator.api.ts";
import { simulatorMessages } from "./simulator.i18n.ts";

type Limits = NonNullable<ResponseOf<typeof simulator.people>["phone"]["limits"]>;

/** Limits new conversations of the line like WhatsApp does, to see what the product makes of it (P-04). */
export function LimitControls({ connectionId, limits }: { readonly connectionId: number; readonly limits: Limits }) {
  const t = useMessages(simulatorMessages);
  const format = useFormat();
  const limit = useLimitLine(connectionId);
  const [minutes, setMinutes] = useState("30");
  const [used, setUsed] = useState("0");
  const [total, setTotal] = useState("100");
  const { lockedUntil, cap } = limits;
  const states = [
    lockedUntil && t("lockedUntil", { time: format.time(lockedUntil) }),
    cap && t("capState", { used: format.number(cap.used), total: format.number(cap.total) }),
  ].filter((state) => typeof state === "string");
  const onError = (error: Error) => toast.failure(error);

  return (
    <Box aria-label={t("limits")}>
      <h2>{t("limits")}</h2>
      <p role="status">{states.length > 0 ? states.join(" · ") : t("noLimits")}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          limit.mutate({ kind: "lock", minutes: Number(minutes) }, { onError });
        }}
      >
        <NumberField
          label={t("lockMinutes")}
          value={minutes}
          required
          onChange={(event) => setMinutes(event.target.value)}
        />
        <Button type="submit">{t("lock")}</Button>
      </form>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          limit.mutate({ kind: "cap", used: Number(used), total: Number(total) }, { onError });
        }}
      >
        <NumberField label={t("capUsed")} value={used} required onChange={(event) => setUsed(event.target.value)} />
        <NumberField label={t("capTotal")} value={total} required onChange={(event) => setTotal(event.target.value)} />
        <Button type="submit">{t("cap")}</Button>
      </form>
      {states.length > 0 && <Button onClick={() => limit.mutate({ kind: "lift" }, { onError })}>{t("lift")}</Button>}
    </Box>
  );
}

const Box = styled("section")({
  display: "flex",
  flexDirection: "column",
  gap: 10,
  "& h2": { fontSize: 14, fontWeight: 600 },
  "& > p": { fontSize: 13, color: color.ink2 },
  "& form": { display: "flex", flexWrap: "wrap", alignItems: "flex-end", gap: 8 },
  "& form > :not(button)": { flex: "1 1 72px", minWidth: 0 },
  "& > button": { alignSelf: "flex-start" },
});
