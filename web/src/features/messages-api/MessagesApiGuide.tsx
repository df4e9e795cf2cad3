import type { Connection } from "@prosa/contract/connections";
import { Copy, KeyRound } from "lucide-react";
import { useRef, useState } from "react";
import { Link } from "#web/lib/routing/router.tsx";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { confirm } from "#web/ui/dialogs/Confirm.tsx";
import { TextField } from "#web/ui/fields/Field.tsx";
import { SelectField } from "#web/ui/fields/SelectField.tsx";
import { Screen, ScreenHead, ScreenTitle } from "#web/ui/Screen.ts";
import { styled } from "#web/ui/styled.ts";
import { color, media } from "#web/ui/theme.ts";
import { toast } from "#web/ui/Toast.tsx";
import { useCopy } from "#web/ui/useCopy.ts";
import { SectionCard } from "#web/ui/SectionCard.ts";
import { CodeBlock } from "./CodeBlock.tsx";
import { Examples } from "./Examples.tsx";
import { sendPath, useNewToken } from "./messages-api.api.ts";
import { messagesApiMessages } from "./messages-api.i18n.ts";
import { SendTest } from "./SendTest.tsx";

/** /messages-api: what the API takes and answers, examples with the connection's token, and forms that really send. */
export function MessagesApiGuide({ connections }: { readonly connections: readonly Connection[] }) {
  const t = useMessages(messagesApiMessages);
  const [token, setToken] = useState("");
  const url = `${location.origin}${sendPath}`;
  return (
    <Screen aria-label={t("title")}>
      <ScreenHead>
        <ScreenTitle>{t("title")}</ScreenTitle>
      </ScreenHead>
      <Scroller tabIndex={0} role="group" aria-label={t("title")}>
        <p>{t("intro")}</p>
        <p>
          {t("rest")} <LinkInText to="/settings?tab=api-keys">{t("keys")}</LinkInText> ·{" "}
          <LinkInText to="/settings?tab=webhooks">{t("webhooks")}</LinkInText>
        </p>
        <TokenCard connections={connections} token={token} onToken={setToken} />
        <SectionCard aria-label={t("callTitle")}>
          <h2>{t("callTitle")}</h2>
          <CodeBlock label="URL" code={`POST ${url}`} copied={url} />
          <p>{t("callText")}</p>
          <Facts rows={fieldNames.map((name) => [name, t(fieldTexts[name])])} />
          <p>{t("keyText")}</p>
          <h3>{t("answerTitle")}</h3>
          <CodeBlock label="200" code={'{ "mensagem": "Mensagem enviada", "messageId": "…" }'} />
          <Facts rows={statuses.map((status) => [status, t(`answer${status}`)])} />
        </SectionCard>
        <Examples url={url} token={token} />
        <SendTest token={token} hasFile={false} />
        <SendTest token={token} hasFile />
      </Scroller>
    </Screen>
  );
}

const fieldTexts = {
  number: "fieldNumber",
  body: "fieldBody",
  medias: "fieldMedias",
  queueId: "fieldQueueId",
  userId: "fieldUserId",
  sendSignature: "fieldSendSignature",
  closeTicket: "fieldCloseTicket",
} as const;
const fieldNames = Object.keys(fieldTexts) as (keyof typeof fieldTexts)[];
const statuses = ["200", "400", "401", "403", "409", "429"] as const;

/** Within a sentence, colour alone does not tell a link from it. */
const LinkInText = styled(Link)({ textDecoration: "underline" });

function Facts({ rows }: { readonly rows: readonly (readonly [string, string])[] }) {
  return (
    <List>
      {rows.map(([name, meaning]) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </List>
  );
}

/** The connection to send by, and its token: pasted, or made here, because nobody can look it up. */
function TokenCard(props: {
  readonly connections: readonly Connection[];
  readonly token: string;
  readonly onToken: (token: string) => void;
}) {
  const { connections, token, onToken } = props;
  const t = useMessages(messagesApiMessages);
  const [chosenId, setChosenId] = useState<number>();
  const [isMade, setMade] = useState(false);
  const { mutateAsync } = useNewToken();
  const copy = useCopy();
  const field = useRef<HTMLInputElement>(null);
  const chosen =
    connections.find(({ id }) => id === chosenId) ?? connections.find(({ isDefault }) => isDefault) ?? connections[0];
  const make = async ({ id, name, hasToken }: Connection) => {
    const run = async () => {
      onToken(await mutateAsync(id));
      setMade(true);
      toast.success(t("made"));
    };
    await (hasToken
      ? confirm({ title: t("makeTitle", { name }), text: t("makeText"), verb: t("make"), isDangerous: true, run })
      : run().catch((error: unknown) => toast.failure(error)));
  };
  return (
    <SectionCard aria-label={t("tokenTitle")}>
      <h2>{t("tokenTitle")}</h2>
      {!chosen && (
        <p>
          {t("noConnections")} <LinkInText to="/connections">{t("toConnections")}</LinkInText>
        </p>
      )}
      {chosen && (
        <>
          <SelectField
            label={t("connection")}
            value={String(chosen.id)}
            onChange={({ target }) => {
              setChosenId(Number(target.value));
              setMade(false);
              onToken("");
            }}
          >
            {connections.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
          <TextField
            ref={field}
            label={t("token")}
            hint={t(isMade ? "tokenMade" : "tokenHint")}
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            value={token}
            onChange={({ target }) => {
              setMade(false);
              onToken(target.value.trim());
            }}
          />
          <footer>
            {token !== "" && (
              <Button icon={<Copy size={16} />} onClick={() => void copy(token, t("copied"), field.current)}>
                {t("copy")}
              </Button>
            )}
            <Button icon={<KeyRound size={16} />} onClick={() => void make(chosen)}>
              {t("make")}
            </Button>
          </footer>
        </>
      )}
    </SectionCard>
  );
}

const Scroller = styled("div")({
  flex: 1,
  minHeight: 0,
  overflowY: "auto",
  padding: 20,
  display: "flex",
  flexDirection: "column",
  gap: 16,
  "& > *": { flex: "none", width: "100%", maxWidth: 820 },
  "& > p": { margin: 0, color: color.ink2 },
  [media.phone]: { padding: 12 },
});

const List = styled("dl")({
  margin: 0,
  fontSize: 13,
  "& > div": {
    display: "grid",
    gridTemplateColumns: "120px minmax(0, 1fr)",
    gap: 12,
    padding: "8px 0",
    borderTop: `1px solid ${color.line}`,
  },
  "& dd": { margin: 0, color: color.ink2, overflowWrap: "anywhere" },
  "& code": { fontSize: 12 },
});
