import { styled } from "#web/ui/styled.ts";
import type { Ticket } from "@prosa/contract/tickets";
import {
  ArrowLeft,
  ArrowRightLeft,
  CalendarClock,
  Check,
  EllipsisVertical,
  PanelRight,
  Trash2,
  Undo2,
} from "lucide-react";
import { memo, type ReactNode } from "react";
import { useMedia } from "#web/lib/browser/hooks.ts";
import { useStableCallback } from "#web/lib/browser/useStableCallback.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { useUser } from "#web/lib/session/session.ts";
import { shortcuts } from "#web/lib/browser/shortcuts.ts";
import { Avatar } from "#web/ui/Avatar.tsx";
import { Button } from "#web/ui/Button.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { ActionMenu, type MenuAction } from "#web/ui/Menu.tsx";
import { color, media } from "#web/ui/theme.ts";
import { awaitedUserText } from "./awaited-user.ts";
import { ticketMessages } from "./tickets.i18n.ts";
import { WaitingText } from "./waiting/index.ts";
import { allowedVerbs, type TicketVerb } from "./tickets.policy.ts";

export interface TicketHeaderProps {
  readonly ticket: Ticket;
  readonly busyVerb: TicketVerb | undefined;
  readonly canAct: boolean;
  readonly canDelete: boolean;
  readonly onVerb: (verb: TicketVerb, ticket: Ticket) => void;
  readonly onDelete: (ticket: Ticket) => void;
  readonly onBack?: (() => void) | undefined;
  readonly onContact?: (() => void) | undefined;
  readonly isContactShown?: boolean;
  /** Absent when the ticket cannot be transferred. */
  readonly onTransfer?: (() => void) | undefined;
  /** Absent when the plan has no scheduled messages. */
  readonly onSchedule?: (() => void) | undefined;
  /** Beside a board: the button that closes the conversation. */
  readonly close?: ReactNode;
}

/** The header of the open ticket: contact, queue, line and agent, and the verbs. */
export function TicketHeader(props: TicketHeaderProps) {
  const { ticket, canAct } = props;
  const t = useMessages(ticketMessages);
  const isPhone = useMedia(media.phone);
  const name = ticket.contact.name || ticket.contact.number;
  const awaited = awaitedUserText(ticket, useUser().id, t);
  const agent = awaited === undefined ? ticket.user?.name : undefined;
  const latest = useStableCallback(() => props);
  const offered = {
    status: ticket.status,
    canAct,
    canTransfer: props.onTransfer !== undefined,
    latest,
  };

  return (
    <Bar>
      {props.onBack && (
        <IconButton label={t("back")} onClick={props.onBack}>
          <ArrowLeft />
        </IconButton>
      )}
      <ContactButton type="button" disabled={!props.onContact} onClick={props.onContact}>
        <Avatar name={name} image={ticket.contact.profilePicUrl} size={isPhone ? 32 : 40} />
        <span>
          <b title={name}>{name}</b>
          <small>
            <span>{[awaited, ticket.queue?.name ?? t("noQueue")].filter(Boolean).join(" · ")}</span>
            {ticket.waitingSince !== null && (
              <span data-waiting>
                {" · "}
                <WaitingText ticket={ticket} isShort={isPhone} />
              </span>
            )}
            <span data-rest>{[ticket.whatsapp?.name, agent].map((part) => part && ` · ${part}`)}</span>
          </small>
        </span>
      </ContactButton>
      <Tools>
        <VerbButtons {...offered} busyVerb={props.busyVerb} />
        {props.onContact && (
          <Roomy>
            <IconButton label={t("contactOf", { name })} isOn={props.isContactShown ?? false} onClick={props.onContact}>
              <PanelRight />
            </IconButton>
          </Roomy>
        )}
        <MoreMenu {...offered} canDelete={props.canDelete} canSchedule={props.onSchedule !== undefined} />
        {props.close}
      </Tools>
    </Bar>
  );
}

interface OfferedProps extends Pick<Ticket, "status"> {
  readonly canAct: boolean;
  readonly canTransfer: boolean;
  /** What the verbs act on, looked up when one is chosen: what they look like is not rendered with each conversation. */
  readonly latest: () => TicketHeaderProps;
}

function runVerb(latest: OfferedProps["latest"], verb: TicketVerb): void {
  const { onVerb, ticket } = latest();
  onVerb(verb, ticket);
}

/** The verbs in the bar, the primary one last. */
const VerbButtons = memo(function VerbButtons(props: OfferedProps & Pick<TicketHeaderProps, "busyVerb">) {
  const { busyVerb, latest } = props;
  const t = useMessages(ticketMessages);
  const isPhone = useMedia(media.phone);
  const [primary, ...others] = allowedVerbs(props, props.canAct).toReversed();
  return (
    <>
      {others.toReversed().map((verb) => (
        <Wide key={verb}>
          <Button isBusy={busyVerb === verb} onClick={() => runVerb(latest, verb)}>
            {t(verb)}
          </Button>
        </Wide>
      ))}
      {props.canTransfer && (
        <Roomy>
          <Button icon={<ArrowRightLeft aria-hidden size={15} />} onClick={() => latest().onTransfer?.()}>
            {t("transfer")}
          </Button>
        </Roomy>
      )}
      {primary && (
        <Primary>
          <Button
            // a conversation that waits has its green button where the answer will be written
            kind={primary === "accept" ? "plain" : "primary"}
            isBusy={busyVerb === primary}
            {...(isPhone && { "aria-label": t(primary), icon: icons[primary] })}
            {...(!isPhone && { shortcut: shortcuts[primary] })}
            onClick={() => runVerb(latest, primary)}
          >
            {!isPhone && t(primary)}
          </Button>
        </Primary>
      )}
    </>
  );
});

/** The verbs that the bar shows only where there is room, and those that are rarely needed. */
const MoreMenu = memo(function MoreMenu(
  props: OfferedProps & { readonly canDelete: boolean; readonly canSchedule: boolean },
) {
  const { latest } = props;
  const t = useMessages(ticketMessages);
  const isPhone = useMedia(media.phone);
  const [, ...others] = allowedVerbs(props, props.canAct).toReversed();
  const menu: MenuAction[] = [
    ...others.map((verb) => ({
      key: verb,
      label: t(verb),
      icon: icons[verb],
      onSelect: () => runVerb(latest, verb),
    })),
    ...(props.canSchedule
      ? [
          {
            key: "schedule",
            label: t("schedule"),
            icon: <CalendarClock />,
            onSelect: () => latest().onSchedule?.(),
          },
        ]
      : []),
    ...(props.canTransfer
      ? [
          {
            key: "transfer",
            label: t("transfer"),
            icon: <ArrowRightLeft />,
            ...(!isPhone && { shortcut: shortcuts.transfer }),
            onSelect: () => latest().onTransfer?.(),
          },
        ]
      : []),
    ...(props.canDelete
      ? [
          {
            key: "delete",
            label: t("delete"),
            icon: <Trash2 />,
            isDangerous: true,
            onSelect: () => latest().onDelete(latest().ticket),
          },
        ]
      : []),
  ];
  return (
    menu.length > 0 && (
      <ActionMenu
        actions={menu}
        opener={(opener) => (
          <IconButton label={t("more")} {...opener}>
            <EllipsisVertical />
          </IconButton>
        )}
      />
    )
  );
});

const icons = { accept: <Check />, return: <Undo2 />, resolve: <Check />, reopen: <Undo2 /> } as const;

const Bar = styled("header")({
  display: "flex",
  alignItems: "center",
  gap: 8,
  minHeight: 59,
  padding: "6px 12px",
  borderBottom: `1px solid ${color.line}`,
  backgroundColor: color.panel,
  containerType: "inline-size",
  [media.phone]: { gap: 2, padding: "6px 4px" },
  [media.phoneKeyboard]: { minHeight: 45, padding: "0 4px" },
});

/** These give their room to the contact's name, the first of them first; the menu or the name itself does the same. */
const Wide = styled("span")({ "@container (max-width: 700px)": { display: "none" } });
const Roomy = styled("span")({ "@container (max-width: 580px)": { display: "none" } });
const Primary = styled("span")({ [media.phone]: { "& button": { width: 44, height: 44, padding: 0 } } });

const ContactButton = styled("button")({
  flex: 1,
  // picture and 16 letters of the name
  minWidth: "calc(17ch + 58px)",
  display: "flex",
  alignItems: "center",
  gap: 10,
  padding: 4,
  [media.phone]: { minWidth: "calc(17ch + 50px)", gap: 8 },
  border: 0,
  borderRadius: 8,
  background: "none",
  textAlign: "left",
  cursor: "pointer",
  "&:disabled": { cursor: "default" },
  "&:hover:not(:disabled)": { backgroundColor: color.hover },
  "& > span:last-child": { minWidth: 0, display: "flex", flexDirection: "column" },
  "& b, & small": { overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" },
  "& b": { fontSize: 14, fontWeight: 600 },
  // Where room is short, line and agent give it first and then the queue, never how long somebody waits.
  "& small": { display: "flex", fontSize: 12, color: color.ink2, whiteSpace: "pre" },
  "& small > span": { minWidth: 0, overflow: "hidden", textOverflow: "ellipsis" },
  "& small > [data-waiting]": { flex: "none" },
  // begins with a separator, whatever is written after it
  "& small > [data-rest]": { flex: "0 10000 auto", unicodeBidi: "normal" },
});

const Tools = styled("div")({ flex: "none", display: "flex", alignItems: "center", gap: 8, [media.phone]: { gap: 2 } });
