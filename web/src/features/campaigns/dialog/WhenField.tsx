import { wallClockOf } from "@prosa/contract/zoned-time";
import type { Path, UseFormReturn } from "react-hook-form";
import { serverNow } from "#web/lib/session/clock.ts";
import { useUser } from "#web/lib/session/session.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { DateTimeField } from "#web/ui/dates/DateTimeField.tsx";
import { Pills } from "#web/ui/Pills.ts";
import { styled } from "#web/ui/styled.ts";
import { isSoon, timeOf, type CampaignValues } from "./campaign-form.ts";
import { dialogMessages } from "./dialog.i18n.ts";

/** Not yet, at a time, or now. */
export function WhenField(props: {
  readonly form: UseFormReturn<CampaignValues>;
  readonly errorOf: (name: Path<CampaignValues>) => string | undefined;
  readonly onChange: (when: CampaignValues["when"]) => void;
}) {
  const { form, errorOf } = props;
  const t = useMessages(dialogMessages);
  const { timeZone } = useUser().company;
  const now = serverNow();
  const when = form.watch("when");
  const at = timeOf({ when, scheduledAt: form.watch("scheduledAt") }, { timeZone, now });
  return (
    <Root>
      <legend>{t("when")}</legend>
      <Pills role="group" aria-label={t("when")}>
        {(["later", "at", "now"] as const).map((key) => (
          <button key={key} type="button" aria-pressed={when === key} onClick={() => props.onChange(key)}>
            {t(`when_${key}`)}
          </button>
        ))}
      </Pills>
      {when === "at" && (
        <DateTimeField
          label={t("at")}
          hint={t(isSoon(at, now) ? "soon" : "atHint")}
          firstDay={wallClockOf(new Date(now), timeZone).slice(0, 10)}
          hasPresets
          {...form.register("scheduledAt")}
          error={errorOf("scheduledAt")}
        />
      )}
    </Root>
  );
}

const Root = styled("fieldset")({
  display: "flex",
  flexDirection: "column",
  gap: 8,
  margin: 0,
  padding: 0,
  border: 0,
  minWidth: 0,
  "& legend": { padding: "0 0 6px", fontSize: 13, fontWeight: 500 },
});
