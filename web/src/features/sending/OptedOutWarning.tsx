import { useQuery } from "@tanstack/react-query";
import { useMessages } from "#web/lib/text/i18n.ts";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { optOutsOptions } from "./sending.api.ts";
import { sendingMessages } from "./sending.i18n.ts";

/** Says that what is written to this contact will not be sent; renders nothing for others (P-02). */
export function OptedOutWarning({ contactId }: { readonly contactId: number }) {
  const t = useMessages(sendingMessages);
  const { data } = useQuery(optOutsOptions(contactId));
  return data?.active ? <Warning role="alert">{t("optedOutWarning")}</Warning> : null;
}

const Warning = styled("p")({
  margin: 0,
  padding: "8px 12px",
  borderRadius: 8,
  backgroundColor: color.warningSoft,
  color: color.warningInk,
  fontSize: 13,
});
