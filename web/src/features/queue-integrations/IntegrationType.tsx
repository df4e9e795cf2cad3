import type { IntegrationType as Type } from "@prosa/contract/queue-integrations";
import { BotMessageSquare, MessagesSquare, Webhook, Workflow } from "lucide-react";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";

const icons = { dialogflow: MessagesSquare, n8n: Workflow, webhook: Webhook, typebot: BotMessageSquare };

/** Product names: the same in every language. */
export const typeNames = {
  dialogflow: "Dialogflow",
  n8n: "n8n",
  webhook: "Webhook",
  typebot: "Typebot",
} as const satisfies Record<Type, string>;

export function IntegrationType({ type }: { readonly type: Type }) {
  const Icon = icons[type];
  return (
    <Mark>
      <Icon aria-hidden size={18} />
      {typeNames[type]}
    </Mark>
  );
}

const Mark = styled("span")({
  display: "inline-flex",
  alignItems: "center",
  gap: 8,
  verticalAlign: "middle",
  "& > svg": { flex: "none", color: color.accent },
});
