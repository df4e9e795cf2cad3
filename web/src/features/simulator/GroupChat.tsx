import type { SimGroup } from "@prosa/contract/simulator";
import { useQuery } from "@tanstack/react-query";
import { ArrowLeft } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Avatar } from "#web/ui/Avatar.tsx";
import { SelectField } from "#web/ui/fields/SelectField.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { ErrorState } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import type { Drafts } from "./drafts.ts";
import { Chat, Messages, PhoneBubble, Writer } from "./PhoneParts.tsx";
import { groupChatOptions, useSendInGroup } from "./simulator.api.ts";
import { simulatorMessages } from "./simulator.i18n.ts";

/** A group on the phone of one chosen member: its messages, and a composer for that member. */
export function GroupChat(props: {
  readonly connectionId: number;
  readonly group: SimGroup;
  readonly onBack: () => void;
}) {
  const { connectionId, group } = props;
  const t = useMessages(simulatorMessages);
  const query = useQuery(groupChatOptions(connectionId, group.id));
  const say = useSendInGroup(connectionId, group.id);
  const [number, setNumber] = useState(group.members[0]?.number ?? "");
  const [drafts, setDrafts] = useState<Drafts>([]);
  const end = useRef<HTMLDivElement>(null);
  const count = query.data?.length ?? 0;
  const speaker = group.members.find((member) => member.number === number);

  const toEnd = () => {
    end.current?.scrollIntoView({ block: "end" });
  };
  useEffect(toEnd, [count]);

  return (
    <Chat data-testid="phone-chat">
      <header>
        <IconButton label={t("back")} onClick={props.onBack}>
          <ArrowLeft />
        </IconButton>
        <Avatar name={group.name} size={32} />
        <b title={group.name}>{group.name}</b>
      </header>
      <Messages role="log" aria-label={group.name} tabIndex={0} onLoadCapture={toEnd}>
        {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
        {query.data?.length === 0 && <p>{t("empty")}</p>}
        {query.data?.map(({ author, ...message }) => {
          const isOwn = author?.number === number;
          return (
            <PhoneBubble
              key={message.id}
              message={{ ...message, fromMe: isOwn }}
              {...(!isOwn && { author: author?.name ?? t("theLine") })}
            />
          );
        })}
        <div ref={end} />
      </Messages>
      <Speaker>
        <SelectField label={t("speakAs")} value={number} onChange={(event) => setNumber(event.target.value)}>
          {group.members.map((member) => (
            <option key={member.number} value={member.number}>
              {member.name}
            </option>
          ))}
        </SelectField>
      </Speaker>
      <Writer
        name={speaker?.name ?? ""}
        drafts={drafts}
        onDrafts={setDrafts}
        onSend={({ text: body }, files) => say.mutateAsync({ number, body, ...(files.length > 0 && { files }) })}
      />
    </Chat>
  );
}

const Speaker = styled("div")({ padding: 8, borderTop: `1px solid ${color.line}` });
