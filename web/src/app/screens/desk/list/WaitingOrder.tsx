import type { TicketOrder } from "@prosa/contract/tickets";
import { ArrowUpDown } from "lucide-react";
import { ticketMessages } from "#web/features/tickets/index.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { ActionMenu } from "#web/ui/Menu.tsx";
import { styled } from "#web/ui/styled.ts";
import { color, media, size } from "#web/ui/theme.ts";

/** Chooses who of those waiting comes first; the desk keeps the choice. */
export function WaitingOrder(props: { readonly order: TicketOrder; readonly onChange: (order: TicketOrder) => void }) {
  const t = useMessages(ticketMessages);
  const names = { waiting: t("oldestFirst"), newest: t("newestFirst") } as const satisfies Record<TicketOrder, string>;
  return (
    <ActionMenu
      align="end"
      actions={(["waiting", "newest"] as const).map((order) => ({
        key: order,
        label: names[order],
        isSelected: order === props.order,
        onSelect: () => props.onChange(order),
      }))}
      opener={(opener) => (
        <Opener type="button" aria-label={t("orderOf", { order: names[props.order] })} {...opener}>
          <ArrowUpDown aria-hidden />
          <span>{names[props.order]}</span>
        </Opener>
      )}
    />
  );
}

const Opener = styled("button")({
  display: "flex",
  flexWrap: "wrap",
  justifyContent: "flex-end",
  alignItems: "center",
  columnGap: 4,
  minWidth: 24,
  height: 26,
  padding: "0 4px",
  border: 0,
  borderRadius: 6,
  background: "none",
  fontSize: 12,
  lineHeight: "26px",
  color: color.ink2,
  whiteSpace: "nowrap",
  cursor: "pointer",
  // Where the words have no room beside the icon they wrap out of sight; the name stays.
  overflow: "hidden",
  "& > svg": { flex: "none", width: 14, height: 26 },
  "&:hover": { color: color.ink, backgroundColor: color.hover },
  [media.coarse]: {
    minWidth: size.finger,
    height: size.finger,
    lineHeight: `${size.finger}px`,
    justifyContent: "center",
    "& > svg": { height: size.finger },
  },
});
