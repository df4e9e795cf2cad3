import { ticketMessages } from "#web/features/tickets/index.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { styled } from "#web/ui/styled.ts";
import { color, media } from "#web/ui/theme.ts";

/** In the composer's place while a waiting conversation is previewed: nobody writes before accepting (T-07). */
export function AcceptBar(props: { readonly isBusy: boolean; readonly onAccept: () => void }) {
  const t = useMessages(ticketMessages);
  return (
    <Bar role="region" aria-label={t("previewLabel")}>
      <p>{t("previewText")}</p>
      <Button kind="primary" isBusy={props.isBusy} onClick={props.onAccept}>
        {t("acceptToReply")}
      </Button>
    </Bar>
  );
}

const Bar = styled("div")({
  flex: "none",
  display: "flex",
  alignItems: "center",
  justifyContent: "space-between",
  gap: 16,
  width: "calc(100% - 40px)",
  maxWidth: 760,
  margin: "0 auto 14px",
  padding: "12px 12px 12px 16px",
  border: `1px solid ${color.line}`,
  borderRadius: 12,
  backgroundColor: color.panel,
  "& > p": { minWidth: 0, color: color.ink2 },
  "& > button": { flex: "none" },
  [media.phone]: {
    flexDirection: "column",
    alignItems: "stretch",
    gap: 10,
    width: "auto",
    margin: 0,
    border: 0,
    borderTop: `1px solid ${color.line}`,
    borderRadius: 0,
    "& > button": { minHeight: 44 },
  },
});
