import type { InvitationLink } from "@prosa/contract/invitations";
import { Copy } from "lucide-react";
import { useRef } from "react";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { Field, Input } from "#web/ui/fields/Field.tsx";
import { InfoDialog } from "#web/ui/dialogs/InfoDialog.tsx";
import { styled } from "#web/ui/styled.ts";
import { useCopy } from "#web/ui/useCopy.ts";
import { userMessages } from "./users.i18n.ts";

/** The link of an invitation, to be copied: the server does not know it any more. */
export function LinkDialog({ link, onClose }: { readonly link: InvitationLink; readonly onClose: () => void }) {
  const t = useMessages(userMessages);
  const format = useFormat();
  const copy = useCopy();
  const field = useRef<HTMLInputElement>(null);
  const { email } = link.user;
  // The address that the admin uses: a server without PUBLIC_URL does not know how it is reached.
  const url = `${location.origin}/convite/${link.token}`;

  return (
    <InfoDialog title={t("linkTitle", { name: link.user.name })} onClose={onClose}>
      <p>{t(link.isMailed ? "linkMailed" : "linkText", { email })}</p>
      <Line>
        <Field
          label={t("link")}
          hint={t("linkUntil", { day: format.date(link.expiresAt), time: format.time(link.expiresAt) })}
        >
          {(control) => (
            <Input {...control} ref={field} readOnly value={url} onFocus={({ target }) => target.select()} />
          )}
        </Field>
        <Button kind="primary" icon={<Copy size={16} />} onClick={() => void copy(url, t("linkCopied"), field.current)}>
          {t("copyLink")}
        </Button>
      </Line>
    </InfoDialog>
  );
}

const Line = styled("div")({
  display: "flex",
  flexDirection: "column",
  gap: 12,
  "& > button": { alignSelf: "flex-start" },
});
