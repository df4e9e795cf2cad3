import { Suspense } from "react";
import { HeldText } from "#web/features/messages/index.ts";
import { whenIdle } from "#web/lib/browser/idle.ts";
import { lazyOrNothing } from "#web/lib/browser/lazy-or-nothing.ts";
import { ConversationSkeleton } from "#web/ui/conversation.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import type { TicketPaneProps } from "./TicketPane.tsx";

const load = () => import("./TicketPane.tsx");
const Pane = lazyOrNothing(async () => (await load()).TicketPane);

// The address names a conversation: its code is fetched beside the list's, not after it.
if (typeof location !== "undefined" && /^\/(tickets|kanban)\/./.test(location.pathname)) {
  void load();
}

/** The conversation in a chunk of its own: lists are shown before it is loaded. */
export function LazyTicketPane(props: TicketPaneProps) {
  return (
    <Suspense fallback={<Waiting uuid={props.uuid} />}>
      <Pane {...props} />
    </Suspense>
  );
}

/** Loads the code of the conversation, its composer and its contact when the browser is idle. Call once lists are shown. */
export function prefetchTicketPaneWhenIdle(): void {
  whenIdle(() => void load().then(({ loadDrawer }) => loadDrawer()));
}

function Waiting({ uuid }: Pick<TicketPaneProps, "uuid">) {
  return (
    <Column aria-hidden>
      <HeldText uuid={uuid} />
      <ConversationSkeleton widths={["55%", "38%", "62%", "30%", "48%"]} />
    </Column>
  );
}

const Column = styled("div")({
  flex: 1,
  minHeight: 0,
  display: "flex",
  flexDirection: "column",
  backgroundColor: color.background,
});
