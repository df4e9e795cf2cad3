import { Copy } from "lucide-react";
import { useRef } from "react";
import { defineMessages, useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { TextArea } from "#web/ui/fields/Field.tsx";
import { InfoDialog } from "./InfoDialog.tsx";
import { styled } from "#web/ui/styled.ts";
import { useCopy } from "#web/ui/useCopy.ts";

/** Shows a secret this once, to be copied. */
export function SecretDialog(props: {
  readonly title: string;
  /** That it is not shown again. */
  readonly text: string;
  readonly label: string;
  readonly secret: string;
  readonly copiedText: string;
  readonly onClose: () => void;
}) {
  const t = useMessages(messages);
  const copy = useCopy();
  const field = useRef<HTMLTextAreaElement>(null);
  return (
    <InfoDialog
      title={props.title}
      width="sm"
      onClose={props.onClose}
      actions={
        <>
          <Button
            autoFocus
            icon={<Copy size={16} />}
            onClick={() => void copy(props.secret, props.copiedText, field.current)}
          >
            {t("copy")}
          </Button>
          <Button kind="primary" onClick={props.onClose}>
            {t("done")}
          </Button>
        </>
      }
    >
      <Text>{props.text}</Text>
      <TextArea
        ref={field}
        label={props.label}
        readOnly
        rows={1}
        style={{ minHeight: 0, resize: "none", overflowWrap: "anywhere" }}
        value={props.secret}
        onFocus={({ target }) => target.select()}
      />
    </InfoDialog>
  );
}

const Text = styled("p")({ margin: "0 0 12px" });

const messages = defineMessages({
  pt: { copy: "Copiar", done: "Já copiei" },
  en: { copy: "Copy", done: "I have copied it" },
  es: { copy: "Copiar", done: "Ya tengo la copia" },
});
