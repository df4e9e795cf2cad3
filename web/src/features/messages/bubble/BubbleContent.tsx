import type { Message } from "@prosa/contract/messages";
import { Ban } from "lucide-react";
import { Suspense } from "react";
import { lazyOrNothing } from "#web/lib/browser/lazy-or-nothing.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Skeleton } from "#web/ui/states.tsx";
import { MutedText } from "../content-styles.ts";
import { MediaContent } from "../media/index.ts";
import { conversationMessages } from "../messages.i18n.ts";
import { RichText } from "../RichText.tsx";
import { unsignedText } from "../unsigned-text.ts";
import type { BubbleContentProps } from "./bubble-content-props.ts";

const LinkCard = lazyOrNothing(async () => (await import("./LinkCard.tsx")).LinkCard);
const SpecialContent = lazyOrNothing(async () => (await import("./SpecialContent.tsx")).SpecialContent);

/** The content of a bubble by the kind of message (M-04). */
export function BubbleContent(props: BubbleContentProps) {
  const t = useMessages(conversationMessages);
  const { message } = props;
  if (message.isDeleted) {
    return (
      <MutedText>
        <Ban aria-hidden /> {t("deleted")}
      </MutedText>
    );
  }
  switch (message.mediaType) {
    case "chat":
      return (
        <>
          <RichText text={unsignedText(message)} />
          {message.linkPreview && (
            <Suspense fallback={<Skeleton style={{ width: 340, maxWidth: "100%", height: 72, margin: "6px 0 2px" }} />}>
              <LinkCard preview={message.linkPreview} />
            </Suspense>
          )}
        </>
      );
    case "locationMessage":
    case "vcard":
    case "call_log":
    case "unsupported":
      return (
        // as tall as most of what will be loaded
        <Suspense fallback={<Skeleton style={{ width: 240, height: isSingleLine(message) ? 20 : 54 }} />}>
          <SpecialContent {...props} />
        </Suspense>
      );
    default:
      return <MediaContent {...props} />;
  }
}

function isSingleLine({ mediaType }: Message): boolean {
  return mediaType === "call_log" || mediaType === "unsupported";
}
