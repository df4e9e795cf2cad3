/** What the palette finds beyond screens and actions: conversations, contacts, colleagues and quick replies. */
import type { SessionUser } from "@prosa/contract/auth";
import type { ContactSummary } from "@prosa/contract/contacts";
import { tickets, type FoundMessage, type Ticket } from "@prosa/contract/tickets";
import type { Colleague } from "@prosa/contract/users";
import { useQuery } from "@tanstack/react-query";
import { BookUser, MessageCircle, UserRound, Zap } from "lucide-react";
import { contactLookupOptions, contactsRealtime } from "#web/features/contacts/index.ts";
import { quickRepliesOptions, quickReplyTarget } from "#web/features/quick-messages/index.ts";
import { colleaguesOptions } from "#web/features/users/index.ts";
import { requestComposerFocus } from "#web/features/messages/index.ts";
import { canWrite, foundPieces, lastMessageLine, ticketMessages, viewerOf } from "#web/features/tickets/index.ts";
import { useDebounced } from "#web/lib/browser/hooks.ts";
import { registerRealtime } from "#web/lib/realtime/realtime.ts";
import { navigate } from "#web/lib/routing/location.ts";
import { hasFeature, useCan } from "#web/lib/session/permissions.ts";
import { call, useUser } from "#web/lib/session/session.ts";
import { useMessages, type Translate } from "#web/lib/text/i18n.ts";
import { phoneText } from "#web/lib/text/phone.ts";
import { matchCommands } from "./matchCommands.ts";
import type { PaletteEntry } from "./paletteEntry.ts";

registerRealtime(contactsRealtime);

/** From this many letters on the server is asked. */
const SEARCH_FROM = 2;
/** Entries of one group. */
const MOST = 5;
/** Shorter than the 500 ms of lists: the palette is closed after a choice, and asks for five rows only. */
const DEBOUNCE_MS = 200;

export interface PaletteFinds {
  readonly conversations: readonly PaletteEntry[];
  readonly contacts: readonly PaletteEntry[];
  readonly people: readonly PaletteEntry[];
  readonly replies: readonly PaletteEntry[];
  readonly isSearching: boolean;
  readonly isFailed: boolean;
}

/** Empty groups until something is typed. */
export function usePaletteFinds(
  text: string,
  run: { readonly onContact: (contact: ContactSummary) => void; readonly onPerson: (person: Colleague) => void },
): PaletteFinds {
  const user = useUser();
  const showAll = useCan("tickets-manager:showall");
  const typed = text.trim().toLowerCase();
  const asked = useDebounced(typed, DEBOUNCE_MS);
  const isAsked = asked.length >= SEARCH_FROM && asked === typed;

  const found = useQuery({ ...ticketFindOptions(asked, showAll), enabled: isAsked });
  const known = useQuery({ ...contactLookupOptions(asked), enabled: isAsked });
  const colleagues = useQuery({ ...colleaguesOptions, enabled: typed !== "" && hasFeature(user, "useInternalChat") });
  const replies = useQuery({ ...quickRepliesOptions, enabled: typed !== "" });
  const insert = quickReplyTarget();
  const ofTickets = useMessages(ticketMessages);

  if (typed === "") {
    return { conversations: [], contacts: [], people: [], replies: [], isSearching: false, isFailed: false };
  }
  // what arrives later above them would take the place of a contact that Enter is about to choose
  const areContactsShown = isAsked && !found.isLoading && !known.isPlaceholderData;
  const foundIn = new Map((isAsked ? (found.data?.found ?? []) : []).map((each) => [each.ticketId, each]));
  return {
    conversations: (isAsked ? (found.data?.tickets ?? []) : [])
      .slice(0, MOST)
      .map((ticket) => ofTicket(ticket, foundIn.get(ticket.id), user, ofTickets)),
    contacts: (areContactsShown ? (known.data ?? []) : []).slice(0, MOST).map((contact) => ({
      key: `contact-${contact.id}`,
      label: contact.name || phoneText(contact.number),
      detail: phoneText(contact.number),
      icon: BookUser,
      run: () => run.onContact(contact),
    })),
    people: matchCommands(
      (colleagues.data ?? [])
        .filter(({ id }) => id !== user.id)
        .map((person) => ({
          key: `person-${person.id}`,
          label: person.name,
          icon: UserRound,
          run: () => run.onPerson(person),
        })),
      typed,
    ).slice(0, MOST),
    replies: matchCommands(
      (replies.data ?? []).map((quick) => ({
        key: `reply-${quick.id}`,
        label: `/${quick.shortcode.replace(/^\//, "")}`,
        detail: quick.message,
        icon: Zap,
        words: `${quick.shortcode} ${quick.message}`,
        run: () => (insert ? insert(quick) : navigate("/quick-messages")),
      })),
      typed,
    ).slice(0, MOST),
    isSearching: typed.length >= SEARCH_FROM && (!isAsked || found.isLoading || known.isFetching),
    isFailed: isAsked && (found.isError || known.isError),
  };
}

function ofTicket(
  ticket: Ticket,
  found: FoundMessage | undefined,
  user: SessionUser,
  t: Translate<(typeof ticketMessages)["pt"]>,
): PaletteEntry {
  return {
    key: `ticket-${ticket.id}`,
    label: ticket.contact.name || phoneText(ticket.contact.number),
    detail: found ? foundPieces(found, user.id, t).join("") : lastMessageLine(ticket, user.id, t),
    tint: ticket.queue?.color ?? null,
    icon: MessageCircle,
    run: () => {
      if (canWrite(viewerOf(user), ticket)) {
        requestComposerFocus(ticket.id);
      }
      navigate(`/tickets/${ticket.uuid}`, { state: found && { messageId: found.messageId } });
    },
  };
}

function ticketFindOptions(text: string, showAll: boolean) {
  return {
    queryKey: ["palette", "tickets", text, showAll],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
      call(tickets.list, {
        query: { pageNumber: 1, searchParam: text, showAll: showAll ? "true" : "false" },
        signal,
      }),
    staleTime: 10_000,
  } as const;
}
