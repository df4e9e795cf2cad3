import type { ChatImport } from "@prosa/contract/chat-imports";
import type { Contact } from "@prosa/contract/contacts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Upload } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { ApiError } from "#web/lib/api/apiError.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { InfoDialog } from "#web/ui/dialogs/InfoDialog.tsx";
import { ErrorState, ProgressBar } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { color, media, size } from "#web/ui/tokens.ts";
import { toast } from "#web/ui/Toast.tsx";
import { chatImportsOptions, usePreviewChat, useStartChatImport, type ReadChat } from "./chat-imports.api.ts";
import { chatImportMessages } from "./chat-imports.i18n.ts";

/** Takes WhatsApp's own export of a chat into the history of a contact; a person says who of it is the company. */
export function ChatImportDialog({ contact, onClose }: { readonly contact: Contact; readonly onClose: () => void }) {
  const t = useMessages(chatImportMessages);
  const query = useQuery(chatImportsOptions(contact.id));
  const preview = usePreviewChat(contact.id);
  const start = useStartChatImport(contact.id);
  const picker = useRef<HTMLInputElement>(null);
  const [me, setMe] = useState("");
  const records = query.data?.records ?? [];
  useRefreshedConversation(records);

  const read = (file: File) => {
    setMe("");
    preview.mutate(file, {
      onError: (error) =>
        error instanceof ApiError && "failure" in error.details ? toast.error(t("unreadable")) : toast.failure(error),
    });
  };
  const begin = ({ file }: ReadChat) =>
    start.mutate({ file, me }, { onSuccess: () => preview.reset(), onError: (error) => toast.failure(error) });

  return (
    <InfoDialog
      width="sm"
      title={t("title")}
      onClose={onClose}
      actions={
        <>
          <Button disabled={preview.isPending} icon={<Upload size={15} />} onClick={() => picker.current?.click()}>
            {t(preview.isPending ? "reading" : "choose")}
          </Button>
          {preview.data && (
            <Button kind="primary" disabled={me === "" || start.isPending} onClick={() => begin(preview.data)}>
              {t("start")}
            </Button>
          )}
        </>
      }
    >
      <Text>
        {t("text")}
        <ul>
          <li>{t("onAndroid", { name: contact.name })}</li>
          <li>{t("onIphone", { name: contact.name })}</li>
        </ul>
        {t("quiet")}
      </Text>
      <input
        ref={picker}
        type="file"
        hidden
        accept=".zip,.txt,application/zip,text/plain"
        aria-label={t("choose")}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          target.value = "";
          if (file) {
            read(file);
          }
        }}
      />
      {preview.data && <Authors preview={preview.data.preview} me={me} onChoose={setMe} />}
      {query.error && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {records.length > 0 && (
        <section aria-label={t("before")}>
          <Heading>{t("before")}</Heading>
          <List>
            {records.map((record) => (
              <Line key={record.id} record={record} />
            ))}
          </List>
        </section>
      )}
    </InfoDialog>
  );
}

function Authors(props: {
  readonly preview: ReadChat["preview"];
  readonly me: string;
  readonly onChoose: (name: string) => void;
}) {
  const t = useMessages(chatImportMessages);
  const format = useFormat();
  const { authors, messages, files, misdated, first, last } = props.preview;
  // Wall clocks of the phone, of which the day is shown.
  const day = (text: string) => format.date(text.slice(0, 10));
  return (
    <>
      <Text role="status">
        {t("found", {
          messages: t("messages", { count: messages, n: format.number(messages) }),
          files: files === 0 ? t("noFiles") : t("files", { count: files, n: format.number(files) }),
          first: day(first),
          last: day(last),
        })}
        {misdated > 0 && ` ${t("misdatedHint", { count: misdated, n: format.number(misdated) })}`}
      </Text>
      <Choices>
        <legend>{t("who")}</legend>
        {authors.map(({ name, messages: count }) => (
          <label key={name}>
            <input type="radio" name="me" checked={props.me === name} onChange={() => props.onChoose(name)} />
            <span title={name}>{name}</span>
            <small>{t("messages", { count, n: format.number(count) })}</small>
          </label>
        ))}
      </Choices>
    </>
  );
}

function Line({ record }: { readonly record: ChatImport }) {
  const t = useMessages(chatImportMessages);
  const format = useFormat();
  const { state, done, total, created, known, withoutFile, misdated } = record;
  const isRunning = state === "waiting" || state === "running";
  const running = t("running", { done: format.number(done), total: format.number(total) });
  return (
    <li>
      {format.dateTime(record.createdAt)}
      <small role="status">
        {state === "failed"
          ? t(record.failure === "interrupted" ? "interrupted" : "failed")
          : state === "finished"
            ? [
                t("created", { count: created, n: format.number(created) }),
                known > 0 && t("known", { count: known, n: format.number(known) }),
              ]
                .filter(Boolean)
                .join(", ")
            : running}
        {withoutFile > 0 && ` · ${t("withoutFile", { n: format.number(withoutFile) })}`}
        {misdated > 0 && ` · ${t("misdated", { n: format.number(misdated) })}`}
      </small>
      {isRunning && <ProgressBar label={running} value={total > 0 ? done / total : undefined} />}
    </li>
  );
}

/** No event tells of history: when an import that was seen under way has ended, conversations are fetched again. */
function useRefreshedConversation(records: readonly ChatImport[]): void {
  const queryClient = useQueryClient();
  const isRunning = records.some(({ state }) => state === "waiting" || state === "running");
  const wasRunning = useRef(false);
  useEffect(() => {
    if (wasRunning.current && !isRunning) {
      void queryClient.invalidateQueries({ queryKey: ["messages"] });
      void queryClient.invalidateQueries({ queryKey: ["tickets"] });
    }
    wasRunning.current = isRunning;
  }, [isRunning, queryClient]);
}

const Text = styled("div")({
  margin: 0,
  color: color.ink2,
  overflowWrap: "anywhere",
  "& ul": { margin: "6px 0", paddingLeft: 18, listStyle: "disc" },
});

const Heading = styled("h3")({ margin: "4px 0", fontSize: 13, fontWeight: 500 });

const List = styled("ul")({
  margin: 0,
  padding: 0,
  listStyle: "none",
  "& li": { padding: "8px 0", borderBottom: `1px solid ${color.line}` },
  "& small": { display: "block", fontSize: 12, color: color.ink2 },
});

const Choices = styled("fieldset")({
  display: "flex",
  flexDirection: "column",
  gap: 2,
  maxHeight: 240,
  overflowY: "auto",
  margin: 0,
  padding: 0,
  border: 0,
  minWidth: 0,
  "& legend": { padding: 0, fontSize: 13, fontWeight: 500 },
  "& label": { display: "flex", alignItems: "center", gap: 8, minHeight: 32, cursor: "pointer" },
  [media.coarse]: { "& label": { minHeight: size.finger } },
  "& input": { flex: "none", width: 16, height: 16, margin: 0, accentColor: color.accent },
  "& small": { flex: "none", fontSize: 12, color: color.ink2 },
  "& span": { minWidth: 0, overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" },
});
