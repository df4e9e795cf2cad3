/** Durations and holds of campaigns in words. */
import { useFormat, type Format } from "#web/lib/text/format.ts";
import { useMessages, type Translate } from "#web/lib/text/i18n.ts";
import { campaignMessages } from "./campaigns.i18n.ts";
import { durationOf } from "./estimate.ts";
import type { Hold } from "./campaign-states.ts";

type Words = Translate<(typeof campaignMessages)["pt"]>;

/** "cerca de 3 h 20 min". */
export function useDurationText(): (seconds: number) => string {
  const t = useMessages(campaignMessages);
  return (seconds) => {
    const duration = durationOf(seconds);
    switch (duration.unit) {
      case "moment":
        return t("pace_moment");
      case "minutes":
        return t("pace_minutes", { count: duration.minutes });
      case "hours":
        return duration.minutes === 0 ? t("pace_hours", duration) : t("pace_hoursMinutes", duration);
      case "days":
        return duration.hours === 0
          ? t("pace_days", { count: duration.days })
          : t("pace_daysHours", { count: duration.days, hours: duration.hours });
    }
  };
}

/** Why a campaign waits and until when, in plain words. */
export function useHoldText(): (hold: Hold, now: number) => string {
  const t = useMessages(campaignMessages);
  const format = useFormat();
  return (hold, now) => holdText(hold, now, t, format);
}

/** Pure: "Fora do horário, continua amanhã às 08:00". */
export function holdText({ reason, until, line, isWhole }: Hold, now: number, t: Words, format: Format): string {
  const when = { on: momentText("on", until, now, t, format), until: momentText("until", until, now, t, format), line };
  const why = until === undefined || !isTimed(reason) ? t(`hold_${reason}`, when) : t(`hold_${reason}Until`, when);
  return isWhole || why.includes(line)
    ? why
    : t("hold_part", { line, why: why.charAt(0).toLowerCase() + why.slice(1) });
}

/** Not of those whose end somebody or something else decides: what is known of them is when to look again. */
function isTimed(reason: Hold["reason"]): reason is Exclude<Hold["reason"], (typeof endless)[number]> {
  return !(endless as readonly string[]).includes(reason);
}

const endless = ["company", "disconnected", "import", "noLine"] as const;

function momentText(form: "on" | "until", at: Date | undefined, now: number, t: Words, format: Format): string {
  if (at === undefined) {
    return "";
  }
  const time = format.time(at);
  if (format.date(at) === format.date(now)) {
    return t(`${form}_today`, { time });
  }
  return format.date(at) === format.date(now + DAY_MS)
    ? t(`${form}_tomorrow`, { time })
    : t(`${form}_day`, { time, date: format.date(at).slice(0, 5) });
}

const DAY_MS = 86_400_000;
