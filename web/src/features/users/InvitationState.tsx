import { useOfMinute } from "#web/lib/browser/minute.ts";
import { localeOf, useLanguage, useMessages, type Language } from "#web/lib/text/i18n.ts";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { userMessages } from "./users.i18n.ts";

/** "convite pendente · expira em 6 dias": the state of an invitation that nobody has accepted. */
export function InvitationState({ expiresAt }: { readonly expiresAt: string }) {
  const t = useMessages(userMessages);
  const language = useLanguage();
  const hours = useOfMinute((now) => Math.ceil((Date.parse(expiresAt) - now) / 3_600_000));
  return (
    <State data-over={hours <= 0 || undefined}>
      {hours <= 0 ? t("invitationOver") : t("invitationOpen", { when: whenText(hours, language) })}
    </State>
  );
}

/** "em 6 dias", "em 5 horas", "em 1 hora". */
function whenText(hours: number, language: Language): string {
  const relative = new Intl.RelativeTimeFormat(localeOf[language]);
  return hours > 24 ? relative.format(Math.floor(hours / 24), "day") : relative.format(hours, "hour");
}

const State = styled("small")({
  display: "block",
  overflow: "hidden",
  textOverflow: "ellipsis",
  fontSize: 12,
  color: color.ink2,
  "&[data-over]": { color: color.danger },
});
