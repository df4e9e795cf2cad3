import type { FieldErrors } from "react-hook-form";
import { ApiError } from "#web/lib/api/apiError.ts";
import { useErrorText } from "#web/lib/api/errors.i18n.ts";
import { defineMessages, useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";

/** Says in a form of `useContractForm` why it could not be checked, and with that not saved. What was typed stays. */
export function RulesAlert({ errors }: { readonly errors: FieldErrors }) {
  const t = useMessages(messages);
  const errorText = useErrorText();
  switch (errors.root?.type) {
    case "network":
      return <Alert role="alert">{errorText(new ApiError("network", 0))}</Alert>;
    case "gone":
      return (
        <Alert role="alert">
          {t("gone")} <Button onClick={() => location.reload()}>{t("reload")}</Button>
        </Alert>
      );
    default:
      return null;
  }
}

const Alert = styled("p")({
  margin: 0,
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  gap: 8,
  padding: "10px 14px",
  borderRadius: 8,
  backgroundColor: color.dangerSoft,
  color: color.danger,
});

const messages = defineMessages({
  pt: {
    gone: "Parte desta página não pôde ser carregada: talvez haja uma versão nova. Para salvar, copie o que você digitou e recarregue.",
    reload: "Recarregar",
  },
  en: {
    gone: "A part of this page could not be loaded: there may be a new version. To save, copy what you typed and reload.",
    reload: "Reload",
  },
  es: {
    gone: "No se pudo cargar una parte de esta página: puede haber una versión nueva. Para guardar, copie lo que escribió y recargue.",
    reload: "Recargar",
  },
});
