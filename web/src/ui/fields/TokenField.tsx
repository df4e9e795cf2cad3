import { Copy, KeyRound } from "lucide-react";
import { useRef } from "react";
import { randomHex } from "#web/lib/browser/random.ts";
import { defineMessages, useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { Field, Input } from "./Field.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { styled } from "#web/ui/styled.ts";
import { useCopy } from "#web/ui/useCopy.ts";

/**
 * An API token, which the server never shows again: typed or made here, kept while the field is empty, removed by null
 * (decision 0149).
 */
export function TokenField(props: {
  readonly label: string;
  /** What it is for. */
  readonly hint: string;
  /** There is a stored one. */
  readonly isSet: boolean;
  readonly value: string | null | undefined;
  readonly onChange: (value: string | null) => void;
  readonly error: string | undefined;
}) {
  const { isSet, value, onChange } = props;
  const t = useMessages(messages);
  const copy = useCopy();
  const field = useRef<HTMLInputElement>(null);
  const isRemoved = value === null;
  const note = isRemoved ? t("removed") : value ? t("copy") : isSet ? t("kept") : props.hint;
  return (
    <Field label={props.label} isOptional hint={note} error={props.error}>
      {(control) => (
        <Line>
          <Input
            {...control}
            ref={field}
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            disabled={isRemoved}
            value={value ?? ""}
            onChange={({ target }) => onChange(target.value)}
          />
          {isRemoved ? (
            <Button onClick={() => onChange("")}>{t("keep")}</Button>
          ) : (
            <>
              {value && (
                <IconButton label={t("copyVerb")} onClick={() => void copy(value, t("copied"), field.current)}>
                  <Copy />
                </IconButton>
              )}
              <Button icon={<KeyRound size={16} />} onClick={() => onChange(randomHex(32))}>
                {t("make")}
              </Button>
              {isSet && (
                <Button kind="quiet" onClick={() => onChange(null)}>
                  {t("remove")}
                </Button>
              )}
            </>
          )}
        </Line>
      )}
    </Field>
  );
}

const Line = styled("div")({
  display: "flex",
  flexWrap: "wrap",
  gap: 8,
  "& > input": { flex: "1 1 180px", width: "auto", minWidth: 0 },
});

const messages = defineMessages({
  pt: {
    make: "Gerar",
    remove: "Remover",
    keep: "Manter",
    kept: "Há um token definido. Vazio, ele continua o mesmo.",
    copy: "Copie agora: depois de salvo, ninguém volta a vê-lo.",
    copyVerb: "Copiar o token",
    copied: "Token copiado.",
    removed: "O token será removido ao salvar.",
  },
  en: {
    make: "Generate",
    remove: "Remove",
    keep: "Keep",
    kept: "A token is set. Left empty, it stays the same.",
    copy: "Copy it now: once saved, nobody sees it again.",
    copyVerb: "Copy the token",
    copied: "Token copied.",
    removed: "The token will be removed when you save.",
  },
  es: {
    make: "Generar",
    remove: "Quitar",
    keep: "Conservar",
    kept: "Hay un token definido. Vacío, sigue siendo el mismo.",
    copy: "Cópielo ahora: una vez guardado, nadie vuelve a verlo.",
    copyVerb: "Copiar el token",
    copied: "Token copiado.",
    removed: "El token se quitará al guardar.",
  },
});
