import type { Message } from "@prosa/contract/messages";

export interface BubbleContentProps {
  readonly message: Message;
  readonly onOpenPhoto: (message: Message) => void;
  readonly onRefetch: (message: Message) => void;
  readonly onStartConversation?: ((name: string, number: string) => void) | undefined;
}
