import { rewriteTones } from "@prosa/contract/agent-assist";
import { FileText, Languages, MessageSquareText, PenLine, Sparkles, SpellCheck } from "lucide-react";
import { useDraft } from "#web/lib/browser/drafts.ts";
import { useStateOf } from "#web/lib/browser/useStateOf.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { IconButton } from "#web/ui/IconButton.tsx";
import { ActionMenu } from "#web/ui/Menu.tsx";
import type { AssistTask } from "./agent-assist.api.ts";
import { assistMessages } from "./agent-assist.i18n.ts";
import { AssistDialog } from "./AssistDialog.tsx";

export interface AssistMenuProps {
  readonly ticketId: number;
  readonly contactId: number;
  /** The received message that is being answered; without one the customer's last is translated. */
  readonly quotedId?: number | undefined;
}

/** The composer's menu of drafts by a language model (O-08). */
export function AssistMenu({ ticketId, contactId, quotedId }: AssistMenuProps) {
  const t = useMessages(assistMessages);
  const text = useDraft("ticket", ticketId).text.trim();
  // Of the conversation: a text made of one never comes into another.
  const [task, setTask] = useStateOf<AssistTask | undefined>(ticketId, undefined);
  const disabled = text === "";
  const ofDraft = rewriteTones.map((tone) => ({
    key: tone,
    label: t(tone),
    icon: tone === "spelling" ? <SpellCheck /> : <PenLine />,
    disabled,
    onSelect: () => setTask({ kind: "rewrite", tone, text }),
  }));
  return (
    <>
      <ActionMenu
        align="start"
        actions={[
          { key: "reply", label: t("reply"), icon: <MessageSquareText />, onSelect: () => setTask({ kind: "reply" }) },
          { key: "summary", label: t("summary"), icon: <FileText />, onSelect: () => setTask({ kind: "summary" }) },
          {
            key: "received",
            label: t("translateReceived"),
            icon: <Languages />,
            onSelect: () => setTask({ kind: "translate", ...(quotedId !== undefined && { messageId: quotedId }) }),
          },
          "line",
          ...ofDraft,
          {
            key: "translate",
            label: t("translate"),
            icon: <Languages />,
            disabled,
            onSelect: () => setTask({ kind: "translate", text }),
          },
        ]}
        opener={(opener) => (
          <IconButton label={t("title")} {...opener}>
            <Sparkles />
          </IconButton>
        )}
      />
      {task && <AssistDialog {...{ ticketId, contactId, task }} onClose={() => setTask(undefined)} />}
    </>
  );
}
