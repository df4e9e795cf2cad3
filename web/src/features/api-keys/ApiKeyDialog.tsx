import { apiNouns, type ApiKeyBody, type ApiNoun, type ApiScope } from "@prosa/contract/api-keys";
import { profiles } from "@prosa/contract/permissions";
import { useState } from "react";
import { serverNow } from "#web/lib/session/clock.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { useUser } from "#web/lib/session/session.ts";
import { FieldRow, FormDialog } from "#web/ui/dialogs/FormDialog.tsx";
import { TextField } from "#web/ui/fields/Field.tsx";
import { SelectField } from "#web/ui/fields/SelectField.tsx";
import { styled } from "#web/ui/styled.ts";
import { color, media, size } from "#web/ui/theme.ts";
import { useMakeKey } from "./api-keys.api.ts";
import { apiKeyMessages } from "./api-keys.i18n.ts";

interface Values {
  readonly name: string;
  readonly profile: ApiKeyBody["profile"];
  /** Days; "0": without end. */
  readonly days: string;
  readonly scopes: readonly ApiScope[];
}

const dayMs = 86_400_000;

/** Makes a key; `onMade` gets it, for it is shown once (V-06). */
export function ApiKeyDialog(props: { readonly onMade: (key: string) => void; readonly onClose: () => void }) {
  const t = useMessages(apiKeyMessages);
  const user = useUser();
  const make = useMakeKey();
  // One moment for all presses: with another end it would be another key, and one whose answer was lost would be made twice.
  const [opened] = useState(serverNow);
  const offered = profiles.slice(0, profiles.indexOf(user.super ? "admin" : user.profile) + 1);
  return (
    <FormDialog<Values>
      title={t("add")}
      verb={t("make")}
      values={{ name: "", profile: "user", days: "90", scopes: [] }}
      onClose={props.onClose}
      onSave={async ({ name, profile, days, scopes }) => {
        const expiresAt = days === "0" ? null : new Date(opened + Number(days) * dayMs).toISOString();
        const { key } = await make.mutateAsync({ name, profile, scopes: [...scopes], expiresAt });
        props.onMade(key);
      }}
    >
      {(form, errorOf) => (
        <>
          <TextField
            label={t("name")}
            hint={t("nameHint")}
            maxLength={50}
            error={errorOf("name")}
            {...form.register("name")}
          />
          <FieldRow>
            <SelectField
              label={t("profile")}
              hint={t("profileHint")}
              error={errorOf("profile")}
              {...form.register("profile")}
            >
              {offered.map((profile) => (
                <option key={profile} value={profile}>
                  {t(profile)}
                </option>
              ))}
            </SelectField>
            <SelectField label={t("expires")} {...form.register("days")}>
              <option value="30">{t("days", { count: 30 })}</option>
              <option value="90">{t("days", { count: 90 })}</option>
              <option value="365">{t("year")}</option>
              <option value="0">{t("never")}</option>
            </SelectField>
          </FieldRow>
          <Scopes
            chosen={form.watch("scopes")}
            error={errorOf("scopes")}
            onChange={(scopes) => form.setValue("scopes", scopes, { shouldDirty: true })}
          />
        </>
      )}
    </FormDialog>
  );
}

function Scopes(props: {
  readonly chosen: readonly ApiScope[];
  readonly error: string | undefined;
  readonly onChange: (chosen: ApiScope[]) => void;
}) {
  const t = useMessages(apiKeyMessages);
  const { chosen, onChange } = props;
  const toggle = (noun: ApiNoun, right: "read" | "write", isOn: boolean) => {
    const scope = `${noun}:${right}` as const;
    onChange(isOn ? [...chosen, scope] : chosen.filter((other) => other !== scope));
  };
  return (
    <Table>
      <legend>{t("scopes")}</legend>
      <small>{t("scopesHint")}</small>
      {apiNouns.map((noun) => (
        <div key={noun}>
          <span>{t(noun)}</span>
          {(["read", "write"] as const).map((right) => (
            <label key={right}>
              <input
                type="checkbox"
                aria-label={`${t(noun)}: ${t(right)}`}
                // to change includes to read
                checked={chosen.includes(`${noun}:${right}`) || (right === "read" && chosen.includes(`${noun}:write`))}
                disabled={right === "read" && chosen.includes(`${noun}:write`)}
                onChange={({ target }) => toggle(noun, right, target.checked)}
              />
              {t(right)}
            </label>
          ))}
        </div>
      ))}
      {props.error !== undefined && <small role="alert">{t("noScope")}</small>}
    </Table>
  );
}

const Table = styled("fieldset")({
  display: "grid",
  margin: 0,
  padding: 0,
  border: 0,
  minWidth: 0,
  "& legend": { padding: 0, fontSize: 13, fontWeight: 500 },
  "& small": { marginBottom: 6, fontSize: 12, color: color.ink2 },
  "& small[role=alert]": { margin: "6px 0 0", color: color.danger },
  "& > div": {
    display: "grid",
    gridTemplateColumns: "minmax(0, 1fr) auto auto",
    alignItems: "center",
    gap: 16,
    minHeight: 34,
    borderTop: `1px solid ${color.line}`,
    fontSize: 13,
  },
  "& label": { display: "flex", alignItems: "center", gap: 6, cursor: "pointer" },
  "& input": { flex: "none", width: 16, height: 16, margin: 0, accentColor: color.accent },
  [media.coarse]: { "& > div": { minHeight: size.finger } },
});
