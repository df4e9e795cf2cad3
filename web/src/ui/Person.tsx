import type { ReactNode } from "react";
import { defineMessages, useMessages } from "#web/lib/text/i18n.ts";
import { Avatar } from "./Avatar.tsx";
import { styled } from "./styled.ts";
import { color } from "./tokens.ts";

/** A person in a list: avatar, name, and chips after it ("você", "Grupo"). */
export function Person(props: {
  readonly name: string;
  readonly image?: string | null;
  /** Chips. */
  readonly children?: ReactNode;
}) {
  return (
    <Row>
      <Avatar name={props.name} image={props.image} size={28} />
      <span title={props.name}>{props.name}</span>
      {props.children}
    </Row>
  );
}

/** Online or offline, as a dot and as text: colour alone is not accessible. */
export function Presence({ isOnline }: { readonly isOnline: boolean }) {
  const t = useMessages(messages);
  return (
    <State data-online={isOnline || undefined}>
      <i aria-hidden />
      {t(isOnline ? "online" : "offline")}
    </State>
  );
}

const Row = styled("span")({
  display: "flex",
  alignItems: "center",
  gap: 10,
  minWidth: 0,
  // the name; the avatar before it is an img or a span
  "& > :nth-child(2)": { minWidth: 0, overflow: "hidden", textOverflow: "ellipsis" },
  "& > :nth-child(n + 3)": { flex: "none" },
});
const State = styled("span")({
  display: "inline-flex",
  alignItems: "center",
  gap: 6,
  color: color.ink2,
  "& i": { width: 8, height: 8, borderRadius: "50%", border: `1.5px solid ${color.ink3}` },
  "&[data-online]": { color: color.ink },
  "&[data-online] i": { backgroundColor: color.accent, borderColor: color.accent },
});

const messages = defineMessages({
  pt: { online: "Online", offline: "Offline" },
  en: { online: "Online", offline: "Offline" },
  es: { online: "En línea", offline: "Desconectado" },
});
