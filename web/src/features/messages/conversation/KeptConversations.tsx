/**
 * The open conversation, and behind it those that were open last: their rows stay in the page, laid out and not drawn, so that
 * going back to one of them makes nothing anew (decision 0177).
 */
import { hashKey, useQueryClient } from "@tanstack/react-query";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useStableCallback } from "#web/lib/browser/useStableCallback.ts";
import { styled } from "#web/ui/styled.ts";
import { messageKeys } from "../messages.cache.ts";
import { Conversation, type ConversationProps } from "./Conversation.tsx";
import { withVisit, type Visit } from "./visits.ts";

/** `Conversation`, for one ticket after another. */
export function KeptConversations(props: ConversationProps) {
  const { id } = props.ticket;
  const [visits, setVisits] = useState<readonly Visit[]>(() => withVisit([], id));
  const [shownId, setShownId] = useState(id);
  let kept = visits;
  if (shownId !== id) {
    // during the render: the new conversation and the one before change places in one frame
    kept = withVisit(visits, id);
    setVisits(kept);
    setShownId(id);
  }
  const forget = (ticketId: number) =>
    setVisits((all) => all.filter((visit) => visit.ticketId !== ticketId || ticketId === id));
  useForgetWithCache(kept, forget);

  return (
    <Stack>
      {kept.map(({ ticketId, number }) => (
        <KeptConversation
          key={ticketId}
          shown={ticketId === id ? props : undefined}
          visit={number}
          onBusy={() => forget(ticketId)}
        />
      ))}
    </Stack>
  );
}

interface KeptConversationProps {
  /** Undefined while it is behind another one. */
  readonly shown: ConversationProps | undefined;
  readonly visit: number;
  /** It was left with a menu open, which is not kept: neither is the conversation. */
  readonly onBusy: () => void;
}

function KeptConversation({ shown, visit, onBusy }: KeptConversationProps) {
  const layer = useRef<HTMLDivElement>(null);
  const last = useRef(shown);
  useLayoutEffect(() => {
    last.current = shown ?? last.current;
  });
  const isShown = shown !== undefined;
  const forget = useStableCallback(onBusy);
  useLayoutEffect(() => {
    if (!isShown) {
      layer.current?.querySelectorAll<HTMLMediaElement>("audio, video").forEach((media) => media.pause());
      if (layer.current?.querySelector("[aria-expanded='true']")) {
        forget();
      }
    }
  }, [isShown, forget]);

  const props = shown ?? last.current;
  return (
    <Layer ref={layer} data-behind={isShown ? undefined : ""}>
      {props && <Conversation {...props} isShown={isShown} visit={visit} />}
    </Layer>
  );
}

/** What the cache drops, as when a right is lost, is not kept in the page either. */
function useForgetWithCache(kept: readonly Visit[], forget: (ticketId: number) => void): void {
  const queryClient = useQueryClient();
  const latest = useRef({ kept, forget });
  useEffect(() => {
    latest.current = { kept, forget };
  });
  useEffect(
    () =>
      queryClient.getQueryCache().subscribe(({ type, query }) => {
        if (type === "removed") {
          const gone = latest.current.kept.find(
            ({ ticketId }) => hashKey(messageKeys.of(ticketId)) === query.queryHash,
          );
          if (gone) {
            latest.current.forget(gone.ticketId);
          }
        }
      }),
    [queryClient],
  );
}

const Stack = styled("div")({ position: "relative", flex: 1, minHeight: 0, isolation: "isolate" });
const Layer = styled("div")({
  position: "absolute",
  inset: 0,
  display: "flex",
  flexDirection: "column",
  // neither drawn nor found nor focused, but laid out; an inherited property would restyle every row
  "&[data-behind]": { contentVisibility: "hidden", zIndex: -1 },
  "@supports not (content-visibility: hidden)": { "&[data-behind]": { display: "none" } },
});
