import { styled } from "#web/ui/styled.ts";
import type { Message } from "@prosa/contract/messages";
import { MapPin, Phone, PhoneMissed, UserRound, Video } from "lucide-react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { phoneText } from "#web/lib/text/phone.ts";
import { Avatar } from "#web/ui/Avatar.tsx";
import { Button } from "#web/ui/Button.tsx";
import { color } from "#web/ui/theme.ts";
import type { BubbleContentProps } from "./bubble-content-props.ts";
import { FileLink, MutedText, Stack } from "../content-styles.ts";
import { contactCardOf, locationOf } from "./message-data.ts";
import { conversationMessages } from "../messages.i18n.ts";
import { unsupportedMessages, unsupportedLabel } from "./unsupported.i18n.ts";

/** A location, contact card, call or unsupported message. Loaded lazily: most conversations have none (M-04). */
export function SpecialContent(props: BubbleContentProps) {
  switch (props.message.mediaType) {
    case "locationMessage":
      return <Location message={props.message} />;
    case "vcard":
      return <ContactCard {...props} />;
    case "unsupported":
      return <Unsupported message={props.message} />;
    default:
      return <Call message={props.message} />;
  }
}

function Unsupported({ message }: { readonly message: Message }) {
  const t = useMessages(unsupportedMessages);
  return <MutedText>{t(unsupportedLabel(message.data?.["what"]))}</MutedText>;
}

function Location({ message }: { readonly message: Message }) {
  const t = useMessages(conversationMessages);
  const location = locationOf(message);
  return (
    <FileLink href={location.url} target="_blank" rel="noopener noreferrer">
      <MapPin aria-hidden />
      <span>
        <b>{location.name || t("location")}</b>
        <small>{location.address || location.coordinates}</small>
      </span>
      <small>{t("openMap")}</small>
    </FileLink>
  );
}

function ContactCard({ message, onStartConversation }: BubbleContentProps) {
  const t = useMessages(conversationMessages);
  const card = contactCardOf(message);
  return (
    <Stack>
      <Person>
        <Avatar name={card.name || "?"} size={36} />
        <span>
          <b>{card.name || t("contact")}</b>
          <small>{card.number.startsWith("+") ? phoneText(card.digits) : card.number}</small>
        </span>
      </Person>
      {onStartConversation && card.digits !== "" && (
        <Button icon={<UserRound size={14} />} onClick={() => onStartConversation(card.name, card.digits)}>
          {t("startConversation")}
        </Button>
      )}
    </Stack>
  );
}

function Call({ message }: { readonly message: Message }) {
  const t = useMessages(conversationMessages);
  const isVideo = message.data?.isVideo === true;
  const state = message.data?.state;
  const Icon = state === "missed" ? PhoneMissed : isVideo ? Video : Phone;
  return (
    <MutedText>
      <Icon aria-hidden /> {t(isVideo ? "call_video" : "call_voice")}
      {state === "missed" && ` · ${t("call_missed")}`}
      {state === "rejected" && ` · ${t("call_rejected")}`}
    </MutedText>
  );
}

const Person = styled("div")({
  display: "flex",
  alignItems: "center",
  gap: 10,
  minWidth: 200,
  "& span:last-child": { display: "flex", flexDirection: "column" },
  "& small": { color: color.ink2 },
});
