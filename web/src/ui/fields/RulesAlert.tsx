import { useEffect, useRef, useState } from "react";
import type { FieldErrors } from "react-hook-form";
import { ApiError } from "#web/lib/api/apiError.ts";
import { useErrorText } from "#web/lib/api/errors.i18n.ts";
import { reloadPage, whenMayLeave } from "#web/lib/routing/router.tsx";
import { defineMessages, useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { unseenError } from "./unseenError.ts";

/**
 * Says in a form of `useContractForm` why it is not saved where no field does: its rules could not be fetched, or what they refuse is
 * not shown. What was typed stays.
 */
export function RulesAlert({ errors }: { readonly errors: FieldErrors }) {
  const t = useMessages(messages);
  const errorText = useErrorText();
  const alert = useRef<HTMLParagraphElement>(null);
  const [unseen, setUnseen] = useState<string>();
  const look = () => {
    const form = alert.current?.closest("form");
    setUnseen(form && alert.current ? unseenError(errors, form, alert.current) : undefined);
  };
  // After each rendering: what the fields show is known then, and react-hook-form changes its errors in place.
  useEffect(look);

  const kind = errors.root?.type;
  return (
    <Alert role="alert" ref={alert} hidden={kind !== "network" && kind !== "gone" && unseen === undefined}>
      {kind === "network" ? (
        errorText(new ApiError("network", 0))
      ) : kind === "gone" ? (
        <>
          {t("gone")} <Button onClick={() => whenMayLeave(reloadPage)}>{t("reload")}</Button>
        </>
      ) : (
        unseen !== undefined && t("unseen", { reason: unseen })
      )}
    </Alert>
  );
}

const Alert = styled("p")({
  "&[hidden]": { display: "none" },
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
    unseen: "Não foi possível salvar por causa de um campo que não está à vista: {reason}",
  },
  en: {
    gone: "A part of this page could not be loaded: there may be a new version. To save, copy what you typed and reload.",
    reload: "Reload",
    unseen: "It could not be saved because of a field that is not in view: {reason}",
  },
  es: {
    gone: "No se pudo cargar una parte de esta página: puede haber una versión nueva. Para guardar, copie lo que escribió y recargue.",
    reload: "Recargar",
    unseen: "No se pudo guardar por un campo que no está a la vista: {reason}",
  },
});
