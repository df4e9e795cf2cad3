import type { Message } from "@prosa/contract/messages";
import { useStateOf } from "#web/lib/browser/useStateOf.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { styled } from "#web/ui/styled.ts";
import { visuallyHidden } from "#web/ui/theme.ts";
import { conversationMessages } from "../messages.i18n.ts";
import { arrivalsAfter } from "./arrivals.ts";
import { messageName } from "./row-name.ts";

/**
 * Tells a screen reader of what the contact writes while the conversation is open. The conversation itself cannot be its live region:
 * it is virtualized, so that scrolling adds and removes rows that are no news.
 */
export function Arrivals(props: {
  /** Another number at each opening. */
  readonly visit: number;
  /** The newest page, oldest first. */
  readonly messages: readonly Message[] | undefined;
  /** Has the fetch of this opening ended? What it brings was there before. */
  readonly isCurrent: boolean;
}) {
  const { visit, messages, isCurrent } = props;
  const t = useMessages(conversationMessages);
  const format = useFormat();
  const [opening, setOpening] = useStateOf<{ readonly newest: Message | undefined } | undefined>(visit, undefined);
  if (!opening && messages && isCurrent) {
    setOpening({ newest: messages.at(-1) });
  }
  return (
    <Region aria-live="polite" data-testid="arrivals">
      {opening &&
        messages &&
        arrivalsAfter(opening.newest, messages).map((message) => (
          <p key={message.id}>{messageName(message, t, format)}</p>
        ))}
    </Region>
  );
}

const Region = styled("div")(visuallyHidden);
