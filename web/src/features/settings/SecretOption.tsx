import { isLeaveKey } from "#web/lib/browser/field-keys.ts";
import { styled } from "#web/ui/styled.ts";
import { useState, type FormEvent } from "react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { Chip } from "#web/ui/Chip.tsx";
import { confirm } from "#web/ui/dialogs/Confirm.tsx";
import { Input } from "#web/ui/fields/Field.tsx";
import { toast } from "#web/ui/Toast.tsx";
import { media } from "#web/ui/theme.ts";
import { OptionRow } from "./OptionRow.tsx";
import { useSaveSetting, useSetting } from "./settings.api.ts";
import { settingsMessages } from "./settings.i18n.ts";

/** A write-only token: the screen shows only whether one is set (G-02). */
export function SecretOption() {
  const t = useMessages(settingsMessages);
  const isSet = useSetting("asaas") !== "";
  const save = useSaveSetting();
  const [draft, setDraft] = useState<string>();

  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(
      { key: "asaas", value: draft?.trim() ?? "" },
      {
        onSuccess: () => {
          setDraft(undefined);
          toast.success(t("saved"));
        },
        onError: (error) => toast.failure(error),
      },
    );
  };
  const remove = () =>
    void confirm({
      title: t("secretRemoveTitle"),
      text: t("secretRemoveText"),
      verb: t("secretRemove"),
      isDangerous: true,
      run: () => save.mutateAsync({ key: "asaas", value: "" }),
    });

  return (
    <OptionRow label={t("asaas")} hint={t("asaasHint")}>
      {(control) =>
        draft === undefined ? (
          <Line>
            <Chip>{t(isSet ? "secretSet" : "secretNone")}</Chip>
            <Button onClick={() => setDraft("")}>{t(isSet ? "secretChange" : "secretAdd")}</Button>
            {isSet && (
              <Button kind="quiet" onClick={remove}>
                {t("secretRemove")}
              </Button>
            )}
          </Line>
        ) : (
          <Line as="form" onSubmit={submit}>
            <Input
              {...control}
              type="password"
              autoComplete="off"
              autoFocus
              value={draft}
              onChange={(event) => setDraft(event.target.value)}
              onKeyDown={(event) => isLeaveKey(event) && setDraft(undefined)}
            />
            <Button kind="primary" type="submit" disabled={draft.trim() === ""} isBusy={save.isPending}>
              {t("save")}
            </Button>
            <Button kind="quiet" onClick={() => setDraft(undefined)}>
              {t("cancel")}
            </Button>
          </Line>
        )
      }
    </OptionRow>
  );
}

const Line = styled("div")({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  justifyContent: "flex-end",
  gap: 8,
  "& input": { width: 200 },
  [media.phone]: { gridColumn: "1 / -1", justifyContent: "flex-start" },
});
