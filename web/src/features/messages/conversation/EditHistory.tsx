import type { Message } from "@prosa/contract/messages";
import { useQuery } from "@tanstack/react-query";
import { useMessages } from "#web/lib/text/i18n.ts";
import { HistoryDialog } from "#web/ui/dialogs/HistoryDialog.tsx";
import { editsOptions } from "../messages.api.ts";
import { conversationMessages } from "../messages.i18n.ts";
import { RichText } from "../RichText.tsx";

/** The earlier texts of an edited message, oldest first (M-10). */
export function EditHistory({ message, onClose }: { readonly message: Message; readonly onClose: () => void }) {
  const t = useMessages(conversationMessages);
  const { data, error, refetch } = useQuery(editsOptions(message.id));
  return (
    <HistoryDialog
      title={t("historyTitle")}
      entries={data?.map(({ at, body }) => ({ at, text: <RichText text={body} /> }))}
      error={error}
      onRetry={() => void refetch()}
      emptyText={t("historyEmpty")}
      onClose={onClose}
    />
  );
}
