import { useMessages } from "#web/lib/text/i18n.ts";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { integrationMessages } from "./queue-integrations.i18n.ts";

/** What n8n and a webhook are sent and may answer, in short; the whole is in the API's page (O-09). */
export function ProtocolHelp() {
  const t = useMessages(integrationMessages);
  return (
    <Help>
      <summary>{t("helpTitle")}</summary>
      <p>{t("helpCall")}</p>
      <pre>{callSample}</pre>
      <p>{t("helpAnswer")}</p>
      <pre>{answerSample}</pre>
      <p>{t("helpEmpty")}</p>
    </Help>
  );
}

const callSample = `{
  "type": "conversation.said",
  "message": { "type": "chat", "text": "Oi", "mediaUrl": null },
  "messages": [ … ],
  "contact": { "id": 7, "name": "Maria", "number": "5511988887777" },
  "ticket": { "id": 12, "queue": { "id": 3, "name": "Vendas" } },
  "connection": { "id": 1, "name": "Loja" }
}`;

const answerSample = `{
  "messages": [
    { "text": "Olá!" },
    { "mediaUrl": "https://…/menu.pdf", "text": "O cardápio" }
  ],
  "queueId": 3,
  "userId": 5,
  "handOver": true,
  "close": false
}`;

const Help = styled("details")({
  fontSize: 13,
  color: color.ink2,
  "& > summary": { cursor: "pointer", color: color.ink },
  "& > p": { marginTop: 8 },
  "& > pre": {
    margin: "6px 0 0",
    padding: "8px 10px",
    overflowX: "auto",
    border: `1px solid ${color.line}`,
    borderRadius: 8,
    backgroundColor: color.background,
    fontSize: 12,
    lineHeight: 1.5,
  },
});
