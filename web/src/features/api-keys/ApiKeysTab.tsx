import { apiNouns, type ApiKey } from "@prosa/contract/api-keys";
import { Ban, KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { serverNow } from "#web/lib/session/clock.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { confirm } from "#web/ui/dialogs/Confirm.tsx";
import { SecretDialog } from "#web/ui/dialogs/SecretDialog.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { ListScreen, type Column } from "#web/ui/ListScreen.tsx";
import { NameAndNote } from "#web/ui/NameAndNote.tsx";
import { EmptyState } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { ApiKeyDialog } from "./ApiKeyDialog.tsx";
import { apiKeyMessages } from "./api-keys.i18n.ts";
import { useApiKeys, useRevokeKey } from "./api-keys.api.ts";

/** Settings → API keys: what other software may do in the company's name, for admins (V-06). */
export function ApiKeysTab() {
  const t = useMessages(apiKeyMessages);
  const list = useApiKeys();
  const [isAdding, setAdding] = useState(false);
  const [made, setMade] = useState<string>();
  const add = (
    <Button kind="primary" icon={<Plus size={16} />} onClick={() => setAdding(true)}>
      {t("add")}
    </Button>
  );
  return (
    <>
      <ListScreen
        isPart
        title={t("title")}
        {...list}
        columns={useColumns()}
        rowActions={(apiKey) => apiKey.revokedAt === null && <RevokeButton apiKey={apiKey} />}
        action={add}
        empty={<EmptyState icon={<KeyRound />} title={t("empty")} text={t("emptyText")} action={add} />}
      />
      {isAdding && <ApiKeyDialog onMade={setMade} onClose={() => setAdding(false)} />}
      {made !== undefined && (
        <SecretDialog
          title={t("made")}
          text={t("madeText")}
          label={t("key")}
          secret={made}
          copiedText={t("copied")}
          onClose={() => setMade(undefined)}
        />
      )}
    </>
  );
}

function RevokeButton({ apiKey: { id, name } }: { readonly apiKey: ApiKey }) {
  const t = useMessages(apiKeyMessages);
  const { mutateAsync } = useRevokeKey();
  const ask = () =>
    void confirm({
      title: t("revokeTitle", { name }),
      text: t("revokeText"),
      verb: t("revoke"),
      isDangerous: true,
      run: () => mutateAsync(id),
    });
  return (
    <IconButton label={t("revokeLabel", { name })} onClick={ask}>
      <Ban />
    </IconButton>
  );
}

function useColumns(): Column<ApiKey>[] {
  const t = useMessages(apiKeyMessages);
  const format = useFormat();
  const at = (instant: string) => `${format.date(instant)} ${format.time(instant)}`;
  const stateOf = ({ revokedAt, expiresAt }: ApiKey) => {
    if (revokedAt !== null) {
      return t("revoked");
    }
    if (expiresAt === null) {
      return t("valid");
    }
    return isExpired(expiresAt) ? t("expired") : t("validUntil", { date: at(expiresAt) });
  };
  const scopesOf = (scopes: readonly string[]) =>
    apiNouns
      .flatMap((noun) => {
        if (scopes.includes(`${noun}:write`)) {
          return t("mayWrite", { noun: t(noun) });
        }
        return scopes.includes(`${noun}:read`) ? t("mayRead", { noun: t(noun) }) : [];
      })
      .join(", ");
  return [
    {
      key: "name",
      title: t("name"),
      width: "minmax(140px, 2fr)",
      cell: ({ name, scopes }) => <NameAndNote name={name} note={scopesOf(scopes)} />,
    },
    { key: "key", title: t("key"), width: "124px", cell: ({ beginning }) => <code>{beginning}…</code> },
    {
      key: "state",
      title: t("state"),
      width: "minmax(150px, 1fr)",
      cell: (row) => (isOver(row) ? <Over>{stateOf(row)}</Over> : stateOf(row)),
    },
    {
      key: "profile",
      title: t("profile"),
      width: "minmax(90px, 0.8fr)",
      isWideOnly: true,
      cell: ({ profile }) => t(profile),
    },
    {
      key: "lastUse",
      title: t("lastUse"),
      width: "144px",
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? t("unused") : at(lastUsedAt)),
    },
    {
      key: "madeBy",
      title: t("madeBy"),
      width: "minmax(100px, 1fr)",
      isWideOnly: true,
      cell: ({ user }) => user.name,
    },
  ];
}

function isExpired(expiresAt: string): boolean {
  return new Date(expiresAt).getTime() <= serverNow();
}

/** It opens nothing any more. */
function isOver({ revokedAt, expiresAt }: ApiKey): boolean {
  return revokedAt !== null || (expiresAt !== null && isExpired(expiresAt));
}

const Over = styled("span")({ color: color.danger });
