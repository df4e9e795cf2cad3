import { Send } from "lucide-react";
import { useState } from "react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { TextArea, TextField } from "#web/ui/fields/Field.tsx";
import { FileField } from "#web/ui/fields/FileField.tsx";
import { toast } from "#web/ui/Toast.tsx";
import { SectionCard } from "#web/ui/SectionCard.ts";
import { CodeBlock } from "./CodeBlock.tsx";
import { sendPath, useApiCall, type ApiAnswer } from "./messages-api.api.ts";
import { messagesApiMessages } from "./messages-api.i18n.ts";

/** A form that really sends by the token, a text or a file, and shows the answer and then the state. */
export function SendTest({ token, hasFile }: { readonly token: string; readonly hasFile: boolean }) {
  const t = useMessages(messagesApiMessages);
  const [number, setNumber] = useState("");
  const [body, setBody] = useState("");
  const [file, setFile] = useState<File>();
  const [answer, setAnswer] = useState<ApiAnswer>();
  const { mutateAsync, isPending } = useApiCall(token);
  const title = t(hasFile ? "testFile" : "testText");
  const run = async (request: Parameters<typeof mutateAsync>[0]) => {
    try {
      const answered = await mutateAsync(request);
      setAnswer(answered);
      if (request.path === sendPath && answered.status < 300) {
        toast.success(t("sent"));
      }
    } catch (error) {
      toast.failure(error);
    }
  };
  const submit = () =>
    run({ path: sendPath, body: hasFile ? formOf({ number, body, file }) : JSON.stringify({ number, body }) });
  const messageId = messageIdOf(answer);
  const isReady = token !== "" && number.trim() !== "" && (hasFile ? file !== undefined : body.trim() !== "");
  return (
    <SectionCard aria-label={title}>
      <h2>{title}</h2>
      <p>{t(token === "" ? "needsToken" : "sendsReally")}</p>
      <TextField
        label={t("number")}
        inputMode="tel"
        placeholder="5511988887777"
        maxLength={40}
        value={number}
        onChange={({ target }) => setNumber(target.value)}
      />
      <TextArea
        label={t(hasFile ? "caption" : "body")}
        isOptional={hasFile}
        value={body}
        onChange={({ target }) => setBody(target.value)}
      />
      {hasFile && (
        <FileField
          hint=""
          isRequired
          file={file ?? null}
          error={undefined}
          isReadOnly={false}
          onChoose={setFile}
          onRemove={() => setFile(undefined)}
        />
      )}
      <footer>
        {messageId !== undefined && (
          <Button onClick={() => void run({ path: `/api/messages/${messageId}` })}>{t("state")}</Button>
        )}
        <Button icon={<Send size={16} />} disabled={!isReady} isBusy={isPending} onClick={() => void submit()}>
          {t("send")}
        </Button>
      </footer>
      {answer && (
        <div role="status">
          <CodeBlock label={t("answer")} code={`${answer.status}\n${JSON.stringify(answer.body, null, 2)}`} />
        </div>
      )}
    </SectionCard>
  );
}

function formOf(fields: { readonly number: string; readonly body: string; readonly file: File | undefined }): FormData {
  const form = new FormData();
  form.set("number", fields.number);
  form.set("body", fields.body);
  if (fields.file) {
    form.append("medias", fields.file);
  }
  return form;
}

function messageIdOf(answer: ApiAnswer | undefined): string | undefined {
  const { body } = answer ?? {};
  return typeof body === "object" && body !== null && "messageId" in body && typeof body.messageId === "string"
    ? body.messageId
    : undefined;
}
