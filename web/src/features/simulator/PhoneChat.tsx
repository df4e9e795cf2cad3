import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, ImageUp, Phone } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Avatar } from "#web/ui/Avatar.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { ErrorState } from "#web/ui/states.tsx";
import { toast } from "#web/ui/Toast.tsx";
import { edited, type Drafts } from "./drafts.ts";
import { Chat, Messages, PhoneBubble, Writer } from "./PhoneParts.tsx";
import { chatOptions, markReadAsCustomer, useLineVerb, useSendAsCustomer, useShowPicture } from "./simulator.api.ts";
import { simulatorMessages } from "./simulator.i18n.ts";

/** A customer's phone: the conversation as they see it, and a composer. */
export function PhoneChat(props: {
  readonly connectionId: number;
  readonly person: { readonly number: string; readonly name: string };
  readonly onBack: () => void;
}) {
  const { connectionId, person } = props;
  const t = useMessages(simulatorMessages);
  const query = useQuery(chatOptions(connectionId, person.number));
  const say = useSendAsCustomer(connectionId, person.number);
  const line = useLineVerb(connectionId);
  const show = useShowPicture(connectionId, person.number);
  const picture = useRef<HTMLInputElement>(null);
  const [drafts, setDrafts] = useState<Drafts>([]);
  const end = useRef<HTMLDivElement>(null);
  const onError = (error: Error) => toast.failure(error);
  const count = query.data?.length ?? 0;
  const unread = query.data?.filter((message) => !message.fromMe).length ?? 0;

  const toEnd = () => {
    // `scrollIntoView` returns a promise in newer browsers, and an effect must return nothing.
    end.current?.scrollIntoView({ block: "end" });
  };

  useEffect(toEnd, [count]);
  useEffect(() => {
    if (unread > 0) {
      void markReadAsCustomer(connectionId, person.number).catch(() => undefined);
    }
  }, [connectionId, person.number, unread]);

  return (
    <Chat data-testid="phone-chat">
      <header>
        <IconButton label={t("back")} onClick={props.onBack}>
          <ArrowLeft />
        </IconButton>
        <Avatar name={person.name} size={32} />
        <b title={person.name}>{person.name}</b>
        <IconButton label={t("picture")} onClick={() => picture.current?.click()}>
          <ImageUp />
        </IconButton>
        <input
          ref={picture}
          type="file"
          accept="image/*"
          hidden
          data-testid="phone-picture"
          onChange={(event) => {
            const [file] = event.target.files ?? [];
            if (file) {
              show.mutate(file, { onSuccess: () => toast.success(t("pictureSet")), onError });
            }
            event.target.value = "";
          }}
        />
        <IconButton label={t("call")} onClick={() => line.mutate({ verb: "call", number: person.number }, { onError })}>
          <Phone />
        </IconButton>
      </header>
      {/* A loaded picture grows and pushes the last message out of view. */}
      <Messages role="log" aria-label={person.name} tabIndex={0} onLoadCapture={toEnd}>
        {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
        {query.data?.length === 0 && <p>{t("empty")}</p>}
        {query.data?.map((message) => (
          <PhoneBubble
            key={message.id}
            message={message}
            actions={
              message.fromMe
                ? [
                    {
                      key: "edit",
                      label: t("editIt"),
                      onSelect: () => setDrafts((now) => edited(now, message)),
                      disabled: message.kind !== "text",
                    },
                    {
                      key: "delete",
                      label: t("deleteIt"),
                      onSelect: () => say.mutate({ revoke: message.id }, { onError }),
                      isDangerous: true,
                    },
                  ]
                : [
                    {
                      key: "react",
                      label: t("reactIt"),
                      onSelect: () => say.mutate({ react: message.id, body: "👍" }, { onError }),
                    },
                  ]
            }
          />
        ))}
        <div ref={end} />
      </Messages>
      <Writer
        name={person.name}
        drafts={drafts}
        onDrafts={setDrafts}
        onSend={({ text: body, edits }, files) =>
          say.mutateAsync(edits ? { body, edit: edits.id } : { body, ...(files.length > 0 && { files }) })
        }
      />
    </Chat>
  );
}
