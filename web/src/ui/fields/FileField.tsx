import { Paperclip, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { defineMessages, useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { Field } from "./Field.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";

/** A file that was just chosen, or the stored one. */
export type ChosenFile = File | { readonly name: string; readonly url: string };

const pictureName = /\.(png|jpe?g|gif|webp)$/iu;

/** The one file of a text that is sent later: choose, preview, remove. The server checks the bytes, as for any message. */
export function FileField(props: {
  /** What becomes of it; "Vai junto com a mensagem, que é a sua legenda." by default. */
  readonly hint?: string;
  readonly file: ChosenFile | null;
  readonly error: string | undefined;
  readonly isReadOnly: boolean;
  readonly isRequired?: boolean;
  readonly onChoose: (file: File) => void;
  readonly onRemove: (file: ChosenFile) => void;
}) {
  const { file, isReadOnly } = props;
  const t = useMessages(messages);
  const picker = useRef<HTMLInputElement>(null);
  if (isReadOnly && !file) {
    return null;
  }
  return (
    <Field
      label={t("file")}
      isOptional={!isReadOnly && props.isRequired !== true}
      error={props.error}
      hint={isReadOnly ? undefined : (props.hint ?? t("hint"))}
    >
      {(control) => (
        <>
          {file && (
            <Chosen>
              {pictureName.test(file.name) ? <Preview file={file} /> : <Paperclip aria-hidden size={18} />}
              {file instanceof File ? (
                <span title={file.name}>{file.name}</span>
              ) : (
                <a href={file.url} target="_blank" rel="noreferrer" title={file.name}>
                  {file.name}
                </a>
              )}
              {!isReadOnly && (
                <IconButton size="small" label={t("takeOff", { name: file.name })} onClick={() => props.onRemove(file)}>
                  <X />
                </IconButton>
              )}
            </Chosen>
          )}
          {!isReadOnly && (
            <>
              <input
                {...control}
                ref={picker}
                type="file"
                hidden
                onChange={({ target }) => {
                  const [chosen] = target.files ?? [];
                  // so that choosing the same file again fires a change
                  target.value = "";
                  if (chosen) {
                    props.onChoose(chosen);
                  }
                }}
              />
              <div>
                <Button icon={<Paperclip size={15} />} onClick={() => picker.current?.click()}>
                  {t(file ? "changeFile" : "attach")}
                </Button>
              </div>
            </>
          )}
        </>
      )}
    </Field>
  );
}

function Preview({ file }: { readonly file: ChosenFile }) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!(file instanceof File)) {
      setAddress(file.url);
      return undefined;
    }
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return <img src={address} alt="" />;
}

const Chosen = styled("div")({
  display: "flex",
  alignItems: "center",
  gap: 10,
  minHeight: 44,
  padding: "6px 6px 6px 10px",
  border: `1px solid ${color.line}`,
  borderRadius: 8,
  fontSize: 13,
  "& img": { flex: "none", width: 72, height: 48, borderRadius: 4, objectFit: "cover", backgroundColor: color.chip },
  "& > svg": { flex: "none" },
  "& > span:not([class]), & > a": {
    flex: 1,
    minWidth: 0,
    overflow: "hidden",
    textOverflow: "ellipsis",
    whiteSpace: "nowrap",
  },
  "& > a": { color: color.ink },
});

const messages = defineMessages({
  pt: {
    file: "Anexo",
    hint: "Vai junto com a mensagem, que é a sua legenda.",
    attach: "Anexar arquivo",
    changeFile: "Trocar arquivo",
    takeOff: "Remover o anexo {name}",
  },
  en: {
    file: "Attachment",
    hint: "Goes along with the message, which is its caption.",
    attach: "Attach a file",
    changeFile: "Change the file",
    takeOff: "Remove the attachment {name}",
  },
  es: {
    file: "Adjunto",
    hint: "Va junto con el mensaje, que es su leyenda.",
    attach: "Adjuntar archivo",
    changeFile: "Cambiar archivo",
    takeOff: "Quitar el adjunto {name}",
  },
});
