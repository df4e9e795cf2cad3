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
import type { ReactNode } from "react";
import { useMedia } from "#web/lib/browser/hooks.ts";
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
  /** Further menu actions, from features above this one. */
  readonly actions?: readonly MenuAction[];
  /** Beside a board: the button that closes the conversation. */
  readonly close?: ReactNode;
}

/** The header of the open ticket: contact, queue, line and agent, and the verbs. */
export function TicketHeader(props: TicketHeaderProps) {
  const { ticket, busyVerb, canAct, onVerb } = props;
  const t = useMessages(ticketMessages);
  const isPhone = useMedia(media.phone);
  const name = ticket.contact.name || ticket.contact.number;
  const awaited = awaitedUserText(ticket, useUser().id, t);
  const agent = awaited === undefined ? ticket.user?.name : undefined;
  const verbs = allowedVerbs(ticket, canAct);
  const [primary, ...others] = verbs.toReversed();

  const menu: MenuAction[] = [
    // All of them, because the bar shows only those that leave room for the name.
    ...others.map((verb) => ({ key: verb, label: t(verb), icon: icons[verb], onSelect: () => onVerb(verb, ticket) })),
    ...(props.onSchedule
      ? [{ key: "schedule", label: t("schedule"), icon: <CalendarClock />, onSelect: props.onSchedule }]
      : []),
    ...(props.onTransfer
      ? [
          {
            key: "transfer",
            label: t("transfer"),
            icon: <ArrowRightLeft />,
            ...(!isPhone && { shortcut: shortcuts.transfer }),
            onSelect: props.onTransfer,
          },
        ]
      : []),
    ...(props.actions ?? []),
    ...(props.canDelete
      ? [
          {
            key: "delete",
            label: t("delete"),
            icon: <Trash2 />,
            isDangerous: true,
            onSelect: () => props.onDelete(ticket),
          },
        ]
      : []),
  ];

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
                <WaitingText ticket={ticket} />
              </span>
            )}
            <span data-rest>{[ticket.whatsapp?.name, agent].map((part) => part && ` · ${part}`)}</span>
          </small>
        </span>
      </ContactButton>
      <Tools>
        {others.toReversed().map((verb) => (
          <Wide key={verb}>
            <Button isBusy={busyVerb === verb} onClick={() => onVerb(verb, ticket)}>
              {t(verb)}
            </Button>
          </Wide>
        ))}
        {props.onTransfer && (
          <Roomy>
            <Button icon={<ArrowRightLeft aria-hidden size={15} />} onClick={props.onTransfer}>
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
              onClick={() => onVerb(primary, ticket)}
            >
              {!isPhone && t(primary)}
            </Button>
          </Primary>
        )}
        {props.onContact && (
          <Roomy>
            <IconButton label={t("contactOf", { name })} isOn={props.isContactShown ?? false} onClick={props.onContact}>
              <PanelRight />
            </IconButton>
          </Roomy>
        )}
        {menu.length > 0 && (
          <ActionMenu
            actions={menu}
            opener={(opener) => (
              <IconButton label={t("more")} {...opener}>
                <EllipsisVertical />
              </IconButton>
            )}
          />
        )}
        {props.close}
      </Tools>
    </Bar>
  );
}

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
  "& small > [data-rest]": { flex: "0 10000 auto" },
});

const Tools = styled("div")({ flex: "none", display: "flex", alignItems: "center", gap: 8, [media.phone]: { gap: 2 } });
