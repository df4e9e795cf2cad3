import { Dialog } from "#web/ui/Dialog.tsx";
import { styled } from "#web/ui/styled.ts";
import type { Message } from "@prosa/contract/messages";
import { useQuery } from "@tanstack/react-query";
import { useFormat } from "#web/lib/format.ts";
import { useMessages } from "#web/lib/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { ErrorState, Skeleton } from "#web/ui/states.tsx";
import { color } from "#web/ui/theme.ts";
import { editsOptions } from "./messages.api.ts";
import { conversationMessages } from "./messages.i18n.ts";
import { RichText } from "./RichText.tsx";

/** Earlier texts of an edited message, oldest first (M-10). */
export function EditHistory({ message, onClose }: { readonly message: Message; readonly onClose: () => void }) {
  const t = useMessages(conversationMessages);
  const format = useFormat();
  const query = useQuery(editsOptions(message.id));
  return (
    <Dialog open onClose={onClose} maxWidth="xs" fullWidth aria-labelledby="edits-title">
      <Body>
        <h2 id="edits-title">{t("historyTitle")}</h2>
        {query.isPending && <Skeleton style={{ height: 40 }} />}
        {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
        <ol>
          {query.data?.map((edit) => (
            <li key={edit.at}>
              <time>{format.dateTime(edit.at)}</time>
              <div>
                <RichText text={edit.body} />
              </div>
            </li>
          ))}
        </ol>
        <footer>
          <Button onClick={onClose}>{t("close")}</Button>
        </footer>
      </Body>
    </Dialog>
  );
}

const Body = styled("div")({
  display: "flex",
  flexDirection: "column",
  gap: 12,
  padding: 20,
  minHeight: 0,
  "& h2": { fontSize: 16, fontWeight: 600 },
  "& ol": { display: "flex", flexDirection: "column", gap: 10, overflowY: "auto" },
  "& li": { padding: 10, borderRadius: 8, backgroundColor: color.background, overflowWrap: "anywhere" },
  "& time": { fontSize: 12, color: color.ink2 },
  "& footer": { display: "flex", justifyContent: "flex-end" },
});
