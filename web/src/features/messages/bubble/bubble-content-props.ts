import type { Message } from "@prosa/contract/messages";

export interface BubbleContentProps {
  readonly message: Message;
  readonly onOpenPhoto: (message: Message) => void;
  readonly onRefetch: (message: Message) => void;
  /** A conversation with a person whose contact card this message carries. */
  readonly onStartConversation?:
    ((message: Message, card: { readonly name: string; readonly number: string }) => void) | undefined;
}
