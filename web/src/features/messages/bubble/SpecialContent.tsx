import { styled } from "#web/ui/styled.ts";
import type { Message } from "@prosa/contract/messages";
import { MapPin, MessageCircle, Phone, PhoneMissed, Video } from "lucide-react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { phoneText } from "#web/lib/text/phone.ts";
import { Avatar } from "#web/ui/Avatar.tsx";
import { Button } from "#web/ui/Button.tsx";
import { color } from "#web/ui/theme.ts";
import type { BubbleContentProps } from "./bubble-content-props.ts";
import { FileLink, MutedText } from "../content-styles.ts";
import { locationOf, sharedContactsOf } from "./message-data.ts";
import { conversationMessages } from "../messages.i18n.ts";
import { unsupportedMessages, unsupportedLabel } from "./unsupported.i18n.ts";

/** A location, contact card, call or unsupported message. Loaded lazily: most conversations have none (M-04). */
export function SpecialContent(props: BubbleContentProps) {
  switch (props.message.mediaType) {
    case "locationMessage":
      return <Location message={props.message} />;
    case "vcard":
      return <ContactCards {...props} />;
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

/** Every person of the message, each with the way to a conversation of their own (M-04). */
function ContactCards({ message, onStartConversation }: BubbleContentProps) {
  const t = useMessages(conversationMessages);
  return (
    <Cards>
      {sharedContactsOf(message).map(({ name, number, digits }, index) => (
        <li key={index}>
          <Person>
            <Avatar name={name || "?"} size={36} />
            <span>
              <b>{name || t("contact")}</b>
              <small>{digits === "" ? number || t("noWhatsAppNumber") : phoneText(digits)}</small>
              {digits === "" && number !== "" && <small>{t("noWhatsAppNumber")}</small>}
            </span>
          </Person>
          {onStartConversation && digits !== "" && (
            <Button
              icon={<MessageCircle size={14} />}
              aria-label={t("startConversationWith", { name: name || phoneText(digits) })}
              onClick={() => onStartConversation(message, { name, number: digits })}
            >
              {t("startConversation")}
            </Button>
          )}
        </li>
      ))}
    </Cards>
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

const Cards = styled("ul")({
  display: "flex",
  flexDirection: "column",
  width: 280,
  maxWidth: "100%",
  "& li": { display: "flex", flexDirection: "column", gap: 8, padding: "6px 0 8px" },
  "& li + li": { borderTop: `1px solid ${color.line}` },
});
const Person = styled("div")({
  display: "flex",
  alignItems: "center",
  gap: 10,
  "& > span:last-child": { display: "flex", flexDirection: "column", minWidth: 0, unicodeBidi: "isolate" },
  "& small": { color: color.ink2 },
});
