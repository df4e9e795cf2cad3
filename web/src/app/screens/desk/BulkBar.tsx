import { bulkMost } from "@prosa/contract/common";
import type { BulkAct } from "@prosa/contract/ticket-bulks";
import type { Ticket } from "@prosa/contract/tickets";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ArrowRightLeft, Check, CheckCheck, Tag, X } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { tagsOptions } from "#web/features/tags/index.ts";
import { actOnTickets, bulkMessages, refusalOf, undoBulk, type Choosing } from "#web/features/tickets/index.ts";
import { ApiError, type ApiErrorCode } from "#web/lib/apiError.ts";
import { useErrorText } from "#web/lib/errors.i18n.ts";
import { useMessages } from "#web/lib/i18n.ts";
import { IconButton } from "#web/ui/IconButton.tsx";
import { LabelPicker } from "#web/ui/LabelPicker.tsx";
import { styled } from "#web/ui/styled.ts";
import { color, media } from "#web/ui/theme.ts";
import { toast } from "#web/ui/Toast.tsx";

const BulkTransferDialog = lazy(async () => ({
  default: (await import("./TransferDialog.tsx")).BulkTransferDialog,
}));

/** In the place of the filters as long as rows are chosen: how many, and what can be done to all of them. */
export function BulkBar(props: {
  readonly choosing: Choosing;
  /** These were resolved or handed on: whoever looks at one of them leaves it. */
  readonly onGone: (tickets: readonly Ticket[]) => void;
}) {
  const { choosing } = props;
  const { tickets } = choosing;
  const t = useMessages(bulkMessages);
  const tags = useQuery(tagsOptions).data ?? [];
  const [isTransferring, setTransferring] = useState(false);
  const { act, isBusy } = useAct(tickets);
  const has = (status: Ticket["status"]) => tickets.some((ticket) => ticket.status === status);
  const everywhere = tags.filter(({ id }) => tickets.every((ticket) => ticket.tags.some((tag) => tag.id === id)));

  const move = async (what: BulkAct) => {
    const gone = await act(what);
    choosing.clear();
    if (what.verb !== "accept") {
      props.onGone(gone);
    }
  };
  const orSay = (work: Promise<unknown>) => void work.catch((error: unknown) => toast.failure(error));

  return (
    <Bar role="toolbar" aria-label={t("bar")} aria-busy={isBusy}>
      <IconButton size="small" label={t("clear")} shortcut="escape" onClick={choosing.clear}>
        <X />
      </IconButton>
      <Count role="status">{t(tickets.length === bulkMost ? "most" : "chosen", { count: tickets.length })}</Count>
      {tickets.length < Math.min(choosing.shown, bulkMost) && (
        <All type="button" onClick={choosing.chooseAll}>
          {t("all", { count: Math.min(choosing.shown, bulkMost) })}
        </All>
      )}
      <Push />
      <IconButton
        size="small"
        label={t("accept")}
        disabled={isBusy || !has("pending")}
        onClick={() => orSay(move({ verb: "accept" }))}
      >
        <Check />
      </IconButton>
      <IconButton
        size="small"
        label={t("resolve")}
        disabled={isBusy || !has("open")}
        onClick={() => orSay(move({ verb: "resolve" }))}
      >
        <CheckCheck />
      </IconButton>
      <IconButton
        size="small"
        label={t("transfer")}
        disabled={isBusy || !(has("open") || has("pending"))}
        onClick={() => setTransferring(true)}
      >
        <ArrowRightLeft />
      </IconButton>
      <LabelPicker
        label={t("tag")}
        labels={tags}
        chosen={everywhere.map(({ id }) => id)}
        onToggle={(id) => orSay(act({ verb: "tag", tagIds: [id] }))}
        opener={(opener) => (
          <IconButton size="small" label={t("tag")} disabled={isBusy} {...opener}>
            <Tag />
          </IconButton>
        )}
      />
      <Suspense>
        {isTransferring && (
          <BulkTransferDialog
            title={t("transferTitle", { count: tickets.length })}
            onTransfer={(to) => move({ verb: "transfer", ...to })}
            onClose={() => setTransferring(false)}
          />
        )}
      </Suspense>
    </Bar>
  );
}

/** Does it to the chosen ones, says what became of them, and offers to take it back. */
function useAct(tickets: readonly Ticket[]) {
  const t = useMessages(bulkMessages);
  const words = useErrorText();
  const queryClient = useQueryClient();
  const [isBusy, setBusy] = useState(false);

  const undo = async (bulkId: string) => {
    try {
      const { outcomes, tickets: back } = await undoBulk(queryClient, bulkId);
      const touched = outcomes.length - back.length;
      const said = [
        ...(back.length > 0 ? [t("undone", { count: back.length })] : []),
        ...(touched > 0 ? [t("touched", { count: touched })] : []),
      ];
      toast.info(said.join(" "));
    } catch (error) {
      // The road was bad, not the wish: whoever wants it back keeps the button as long as the server keeps what was.
      const isRoad = error instanceof ApiError && error.code === "network";
      toast.failure(error, isRoad ? offerOf(bulkId) : undefined);
    }
  };
  const offerOf = (bulkId: string) => ({ label: t("undo"), run: () => void undo(bulkId) });

  const act = async (what: BulkAct): Promise<readonly Ticket[]> => {
    setBusy(true);
    try {
      const ids = tickets.map(({ id }) => id);
      const { bulkId, outcomes, tickets: done } = await actOnTickets(queryClient, ids, what);
      const refusal = refusalOf(outcomes);
      const why = refusal && words(new ApiError(refusal.code as ApiErrorCode, 0));
      const said = [
        ...(done.length > 0 ? [t(`${what.verb}Done`, { count: done.length })] : []),
        ...(refusal ? [t("refused", { count: refusal.count, why: why ?? "" })] : []),
      ];
      const say = done.length === 0 && refusal ? toast.error : toast.success;
      say(said.join(" ") || t("unchanged"), bulkId ? offerOf(bulkId) : undefined);
      return done;
    } finally {
      setBusy(false);
    }
  };
  return { act, isBusy };
}

const Bar = styled("div")({
  flex: "none",
  display: "flex",
  alignItems: "center",
  gap: 4,
  minHeight: 45,
  padding: "8px 12px 8px 8px",
  borderBottom: `1px solid ${color.line}`,
  backgroundColor: color.accentSoft,
  "@media (pointer: coarse)": { paddingBlock: 4, "& button[data-size]": { width: 36, height: 36 } },
  [media.phone]: { gap: 0, paddingInline: 6, "& > [role=status]": { fontSize: 12 } },
});
const Count = styled("span")({
  minWidth: 0,
  fontSize: 13,
  fontWeight: 600,
  overflow: "hidden",
  textOverflow: "ellipsis",
  whiteSpace: "nowrap",
});
const All = styled("button")({
  flex: "none",
  padding: "4px 6px",
  border: 0,
  borderRadius: 6,
  background: "none",
  color: color.accent,
  fontSize: 12,
  fontWeight: 600,
  cursor: "pointer",
  "&:hover": { backgroundColor: color.hover },
});
const Push = styled("span")({ flex: 1 });
