import { maxBulkSize } from "@prosa/contract/common";
import type { BulkAct } from "@prosa/contract/ticket-bulks";
import type { Ticket } from "@prosa/contract/tickets";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ArrowRightLeft, Check, CheckCheck, Tag, X } from "lucide-react";
import { useState } from "react";
import { tagsOptions } from "#web/features/tags/index.ts";
import {
  actOnTickets,
  bulkMessages,
  mostFrequentRefusal,
  undoBulk,
  type TicketSelection,
} from "#web/features/tickets/index.ts";
import { ApiError, type ApiErrorCode } from "#web/lib/api/apiError.ts";
import { useErrorText } from "#web/lib/api/errors.i18n.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { IconButton } from "#web/ui/IconButton.tsx";
import { LabelPicker } from "#web/ui/fields/LabelPicker.tsx";
import { styled } from "#web/ui/styled.ts";
import { color, media, size } from "#web/ui/theme.ts";
import { toast } from "#web/ui/Toast.tsx";
import { useBack } from "#web/ui/useBack.ts";
import { lateDialog } from "#web/ui/dialogs/lateDialog.tsx";

const BulkTransferDialog = lateDialog(
  async () => (await import("#web/app/screens/desk/transfer/BulkTransferDialog.tsx")).BulkTransferDialog,
);

/**
 * Replaces the filters while rows are selected: their count, and the bulk actions. The dialog of a transfer stays open with the tickets
 * that it was opened with where those leave the list meanwhile: the server says what became of each.
 */
export function BulkBar(props: {
  readonly selection: TicketSelection;
  /** The tickets of the open dialog. */
  readonly transferring: readonly Ticket[] | undefined;
  readonly onTransferring: (tickets: readonly Ticket[] | undefined) => void;
  /** These tickets were resolved or transferred: an open one is closed. */
  readonly onMoved: (tickets: readonly Ticket[]) => void;
}) {
  const { selection, transferring, onTransferring } = props;
  const { tickets } = selection;
  const t = useMessages(bulkMessages);
  const tags = useQuery(tagsOptions).data ?? [];
  const { run, isBusy } = useBulkAction();
  useBack(selection.clear);
  const has = (status: Ticket["status"]) => tickets.some((ticket) => ticket.status === status);
  const commonTags = tags.filter(({ id }) => tickets.every((ticket) => ticket.tags.some((tag) => tag.id === id)));

  const runAndClear = async (act: BulkAct, of = tickets) => {
    const moved = await run(act, of);
    selection.clear();
    if (act.verb !== "accept") {
      props.onMoved(moved);
    }
  };
  const orToast = (work: Promise<unknown>) => void work.catch((error: unknown) => toast.failure(error));

  return (
    <>
      {tickets.length > 0 && (
        <Bar role="toolbar" aria-label={t("bar")} aria-busy={isBusy}>
          <IconButton size="small" label={t("clear")} shortcut="escape" onClick={selection.clear}>
            <X />
          </IconButton>
          <Count role="status">
            {t(tickets.length === maxBulkSize ? "most" : "chosen", { count: tickets.length })}
          </Count>
          {tickets.length < Math.min(selection.rowCount, maxBulkSize) && (
            <SelectAll type="button" onClick={selection.selectAll}>
              {t("all", { count: Math.min(selection.rowCount, maxBulkSize) })}
            </SelectAll>
          )}
          <Push />
          <IconButton
            size="small"
            label={t("accept")}
            disabled={isBusy || !has("pending")}
            onClick={() => orToast(runAndClear({ verb: "accept" }))}
          >
            <Check />
          </IconButton>
          <IconButton
            size="small"
            label={t("resolve")}
            disabled={isBusy || !has("open")}
            onClick={() => orToast(runAndClear({ verb: "resolve" }))}
          >
            <CheckCheck />
          </IconButton>
          <IconButton
            size="small"
            label={t("transfer")}
            disabled={isBusy || !(has("open") || has("pending"))}
            onClick={() => onTransferring(tickets)}
          >
            <ArrowRightLeft />
          </IconButton>
          <LabelPicker
            label={t("tag")}
            labels={tags}
            chosen={commonTags.map(({ id }) => id)}
            onToggle={(id) => orToast(run({ verb: "tag", tagIds: [id] }, tickets))}
            opener={(opener) => (
              <IconButton size="small" label={t("tag")} disabled={isBusy} {...opener}>
                <Tag />
              </IconButton>
            )}
          />
        </Bar>
      )}
      {transferring && (
        <BulkTransferDialog
          title={t("transferTitle", { count: transferring.length })}
          onTransfer={(to) => runAndClear({ verb: "transfer", ...to }, transferring)}
          onClose={() => onTransferring(undefined)}
        />
      )}
    </>
  );
}

/** Runs a bulk action on tickets, toasts its outcome, and offers to undo it. */
function useBulkAction() {
  const t = useMessages(bulkMessages);
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const [isBusy, setBusy] = useState(false);

  const undo = async (bulkId: string) => {
    try {
      const { outcomes, tickets: undone } = await undoBulk(queryClient, bulkId);
      const touched = outcomes.length - undone.length;
      const sentences = [
        ...(undone.length > 0 ? [t("undone", { count: undone.length })] : []),
        ...(touched > 0 ? [t("touched", { count: touched })] : []),
      ];
      toast.info(sentences.join(" "));
    } catch (error) {
      // After a network error the undo can be tried again, as long as the server keeps its snapshot.
      const isNetworkError = error instanceof ApiError && error.code === "network";
      toast.failure(error, isNetworkError ? undoButton(bulkId) : undefined);
    }
  };
  const undoButton = (bulkId: string) => ({ label: t("undo"), run: () => void undo(bulkId) });

  const run = async (act: BulkAct, tickets: readonly Ticket[]): Promise<readonly Ticket[]> => {
    setBusy(true);
    try {
      const ids = tickets.map(({ id }) => id);
      const { bulkId, outcomes, tickets: done } = await actOnTickets(queryClient, ids, act);
      const refusal = mostFrequentRefusal(outcomes);
      const why = refusal && errorText(new ApiError(refusal.code as ApiErrorCode, 0));
      const sentences = [
        ...(done.length > 0 ? [t(`${act.verb}Done`, { count: done.length })] : []),
        ...(refusal ? [t("refused", { count: refusal.count, why: why ?? "" })] : []),
      ];
      const show = done.length === 0 && refusal ? toast.error : toast.success;
      show(sentences.join(" ") || t("unchanged"), bulkId ? undoButton(bulkId) : undefined);
      return done;
    } finally {
      setBusy(false);
    }
  };
  return { run, isBusy };
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
  [media.coarse]: { paddingBlock: 0 },
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
const SelectAll = styled("button")({
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
  [media.coarse]: { minWidth: size.finger, minHeight: size.finger },
});
const Push = styled("span")({ flex: 1 });
