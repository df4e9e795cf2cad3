import { recipientStates, type Campaign, type Recipient, type RecipientState } from "@prosa/contract/campaigns";
import { MessageCircle, Users } from "lucide-react";
import { useState } from "react";
import { useFailReasonText } from "#web/features/messages/index.ts";
import { useSearch } from "#web/lib/browser/hooks.ts";
import { Link } from "#web/lib/routing/router.tsx";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { phoneText } from "#web/lib/text/phone.ts";
import { ListHead, ListRows, type Column } from "#web/ui/ListScreen.tsx";
import { Select } from "#web/ui/select/Select.tsx";
import { EmptyState } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { color, media, size } from "#web/ui/theme.ts";
import { useRecipients } from "./report.api.ts";
import { reportMessages } from "./report.i18n.ts";

/** Each contact of a campaign with its result, why and when; filtered by result, searched by name and number (K-07). */
export function Recipients({ campaign }: { readonly campaign: Campaign }) {
  const t = useMessages(reportMessages);
  const search = useSearch();
  const [state, setState] = useState<RecipientState | "">("");
  const list = useRecipients(campaign.id, campaign.status, { searchParam: search.asked, state });
  const states = recipientStates.filter((each) => campaign.confirmation || !confirmationStates.has(each));
  return (
    <Root aria-label={t("recipients")}>
      <ListHead
        title={t("recipients")}
        isPart
        count={list.count}
        search={{ ...search, placeholder: t("search") }}
        filters={
          <Filter>
            <Select
              aria-label={t("filter")}
              value={state}
              onChange={({ target }) => setState(target.value as RecipientState | "")}
            >
              <option value="">{t("everyState")}</option>
              {states.map((each) => (
                <option key={each} value={each}>
                  {t(`state_${each}`)}
                </option>
              ))}
            </Select>
          </Filter>
        }
      />
      <ListRows
        {...list}
        search={{ ...search, placeholder: t("search") }}
        columns={useColumns(campaign.confirmation)}
        empty={
          <EmptyState
            icon={<Users />}
            title={t(state === "" ? "recipientsEmpty" : "filterEmpty")}
            text={t(state === "" ? "recipientsEmptyText" : "filterEmptyText")}
          />
        }
      />
    </Root>
  );
}

const confirmationStates: ReadonlySet<RecipientState> = new Set(["asked", "agreed", "declined", "unanswered"]);

function useColumns(hasConfirmation: boolean): Column<Recipient>[] {
  const t = useMessages(reportMessages);
  const format = useFormat();
  const reasonText = useFailReasonText();
  return [
    {
      key: "name",
      title: t("name"),
      width: "minmax(120px, 1.4fr)",
      cell: ({ name, number, ticketUuid }) =>
        ticketUuid === null ? (
          name || phoneText(number)
        ) : (
          <Opens to={`/tickets/${ticketUuid}`} title={t("openTicket")}>
            <span>{name || phoneText(number)}</span> <MessageCircle aria-hidden size={14} />
          </Opens>
        ),
    },
    { key: "number", title: t("number"), width: "minmax(130px, 1fr)", cell: ({ number }) => phoneText(number) },
    {
      key: "state",
      title: t("result"),
      width: "minmax(140px, 1.6fr)",
      cell: ({ state, reason, answeredAt }) => (
        <Result data-tone={tones[state]}>
          <i aria-hidden />
          <span>
            {t(`state_${state}`)}
            {answeredAt !== null && ` · ${t("hasAnswered")}`}
            {reason !== null && <small>{reasonText(reason)}</small>}
          </span>
        </Result>
      ),
    },
    {
      key: "variant",
      title: t("variant"),
      width: "72px",
      isWideOnly: true,
      cell: ({ variant }) => variant ?? "–",
    },
    ...(hasConfirmation
      ? [
          {
            key: "asked",
            title: t("askedAt"),
            width: "100px",
            isWideOnly: true,
            cell: ({ confirmationRequestedAt: at }: Recipient) => at !== null && format.listTime(at),
          },
        ]
      : []),
    {
      key: "time",
      title: t("time"),
      width: "118px",
      cell: (row) => {
        const at = latestOf(row);
        return at !== undefined && <When>{`${format.date(at).slice(0, 5)} ${format.time(at)}`}</When>;
      },
    },
  ];
}

/** When the shown result came. */
function latestOf(row: Recipient): string | undefined {
  const times = [row.answeredAt, row.readAt, row.deliveredAt, row.sentAt, row.confirmedAt, row.confirmationRequestedAt];
  return times.find((at) => at !== null) ?? undefined;
}

const tones: Readonly<Record<RecipientState, "plain" | "good" | "blue" | "bad" | "warn">> = {
  unchecked: "plain",
  waiting: "plain",
  asked: "warn",
  agreed: "good",
  queued: "plain",
  sent: "plain",
  delivered: "blue",
  read: "good",
  failed: "bad",
  declined: "warn",
  unanswered: "warn",
  optedOut: "bad",
  invalid: "bad",
  duplicate: "plain",
};

const Root = styled("section")({
  flex: 1,
  display: "flex",
  flexDirection: "column",
  minHeight: 0,
  backgroundColor: color.panel,
});
const Filter = styled("div")({ width: 190, [media.phone]: { width: "100%", order: 3 } });
const Opens = styled(Link)({
  display: "inline-flex",
  alignItems: "center",
  gap: 6,
  maxWidth: "100%",
  color: color.ink,
  "& > span": { overflow: "hidden", textOverflow: "ellipsis" },
  "& > svg": { flex: "none", color: color.ink2 },
  [media.coarse]: { minHeight: size.finger },
});
const Result = styled("span")({
  display: "flex",
  alignItems: "baseline",
  gap: 8,
  padding: "4px 0",
  whiteSpace: "normal",
  "& i": { flex: "none", width: 8, height: 8, borderRadius: "50%", backgroundColor: color.ink3 },
  "&[data-tone='good'] i": { backgroundColor: color.accent },
  "&[data-tone='blue'] i": { backgroundColor: color.tick },
  "&[data-tone='bad'] i": { backgroundColor: color.danger },
  "&[data-tone='warn'] i": { backgroundColor: color.warning },
  "& small": { display: "block", fontSize: 12, lineHeight: 1.35, color: color.ink2 },
});
const When = styled("span")({ fontVariantNumeric: "tabular-nums", color: color.ink2 });
