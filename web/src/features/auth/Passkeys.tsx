import { passkeys, type Passkey } from "@prosa/contract/passkeys";
import { startRegistration, type PublicKeyCredentialCreationOptionsJSON } from "@simplewebauthn/browser";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#web/lib/session/session.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { toast } from "#web/ui/Toast.tsx";
import { CodeForm } from "./CodeForm.tsx";
import { deviceName } from "./device-name.ts";
import type { ShowCodes } from "./RecoveryCodes.tsx";
import { Rows } from "./Rows.ts";
import { passkeyMessages } from "./passkeys.i18n.ts";
import { showPasskeyError } from "./sign-in-with-passkey.ts";

const passkeysKey = ["passkeys"] as const;

/** One's own passkeys (V-03). `onChange`: what is left of recovery codes may have changed. */
export function Passkeys({ onChange, showCodes }: { readonly onChange: () => void; readonly showCodes: ShowCodes }) {
  const t = useMessages(passkeyMessages);
  const queryClient = useQueryClient();
  const query = useQuery({ queryKey: passkeysKey, queryFn: ({ signal }) => call(passkeys.list, { signal }) });
  const [isAdding, setAdding] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const refresh = async () => {
    onChange();
    await queryClient.invalidateQueries({ queryKey: passkeysKey });
  };

  const add = async (password: string) => {
    const { options } = await call(passkeys.begin, { body: { password } });
    setAdding(false);
    try {
      const response = await startRegistration({
        optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON,
      });
      const name = deviceName(navigator.userAgent) ?? t("device");
      setSaving(true);
      await showCodes(call(passkeys.add, { body: { name, response: { ...response } } }));
      toast.success(t("added"));
      await refresh();
    } catch (error) {
      showPasskeyError(error);
    } finally {
      setSaving(false);
    }
  };
  const [removing, setRemoving] = useState<Passkey>();
  const remove = async (id: number, password: string) => {
    await call(passkeys.remove, { params: { id }, body: { password } });
    setRemoving(undefined);
    await refresh();
  };

  return (
    <Rows aria-labelledby="passkeys">
      <h3 id="passkeys">{t("title")}</h3>
      <p>{t("text")}</p>
      {query.data && query.data.length > 0 && (
        <ul>
          {query.data.map((passkey) => (
            <Row key={passkey.id} passkey={passkey} onRemove={() => setRemoving(passkey)} />
          ))}
        </ul>
      )}
      {removing && (
        <CodeForm
          key={removing.id}
          name={t("removeTitle")}
          label={t("password")}
          hint={t("removeText", { name: removing.name })}
          verb={t("remove")}
          isPassword
          onSend={(password) => remove(removing.id, password)}
        >
          <Button kind="quiet" size="large" onClick={() => setRemoving(undefined)}>
            {t("cancel")}
          </Button>
        </CodeForm>
      )}
      {isAdding ? (
        <CodeForm name={t("add")} label={t("password")} verb={t("continue")} isPassword onSend={add}>
          <Button kind="quiet" size="large" onClick={() => setAdding(false)}>
            {t("cancel")}
          </Button>
        </CodeForm>
      ) : (
        <Button isBusy={isSaving} onClick={() => setAdding(true)}>
          {t("add")}
        </Button>
      )}
    </Rows>
  );
}

function Row({ passkey, onRemove }: { readonly passkey: Passkey; readonly onRemove: () => void }) {
  const t = useMessages(passkeyMessages);
  const format = useFormat();
  const { name, createdAt, lastUsedAt } = passkey;
  return (
    <li>
      <div>
        <b>{name}</b>
        <small>
          {lastUsedAt === null
            ? t("created", { when: format.date(createdAt) })
            : t("used", { when: `${format.date(lastUsedAt)} ${format.time(lastUsedAt)}` })}
        </small>
      </div>
      <Button onClick={onRemove}>{t("remove")}</Button>
    </li>
  );
}
