import { Copy } from "lucide-react";
import { useRef } from "react";
import { defineMessages, useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { TextField } from "#web/ui/fields/Field.tsx";
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
  const field = useRef<HTMLInputElement>(null);
  return (
    <InfoDialog
      title={props.title}
      width="sm"
      onClose={props.onClose}
      actions={
        <>
          <Button icon={<Copy size={16} />} onClick={() => void copy(props.secret, props.copiedText, field.current)}>
            {t("copy")}
          </Button>
          <Button kind="primary" onClick={props.onClose}>
            {t("done")}
          </Button>
        </>
      }
    >
      <Text>{props.text}</Text>
      <TextField
        ref={field}
        label={props.label}
        readOnly
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
  es: { copy: "Copiar", done: "Ya la copié" },
});
