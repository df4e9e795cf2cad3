export { Ack } from "./Ack.tsx";
export { BubbleFrame } from "./BubbleFrame.tsx";
export { useFailReasonText } from "./failure-text.ts";
export { LazyAlbumBubble } from "./LazyAlbumBubble.ts";
export { MessageBubble, type BubbleVerbs } from "./MessageBubble.tsx";
export { NoteBubble } from "./NoteBubble.tsx";
export { QuotedMessage } from "./QuotedMessage.tsx";
export { authorName, quotedAuthor, quotedText } from "./quotation.ts";
