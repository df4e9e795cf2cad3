import { RotateCw } from "lucide-react";
import { useState } from "react";
import { useFormat } from "#web/lib/text/format.ts";
import { defineMessages, useMessages } from "#web/lib/text/i18n.ts";
import { IconButton } from "./IconButton.tsx";
import { styled } from "./styled.ts";
import { color, media } from "./theme.ts";

/** A call to another system, and what came of it. */
export interface ShownDelivery {
  readonly id: number;
  readonly name: string;
  readonly state: "waiting" | "delivered" | "failed";
  readonly attempts: number;
  readonly status: number | null;
  /** What failed, as the log has it, in words; null: nothing. */
  readonly error: string | null;
  readonly answer: string | null;
  readonly durationMs: number | null;
  readonly createdAt: string;
  readonly nextAttemptAt?: string | null;
  /** The header webhook-id, where it has one. */
  readonly webhookId: string;
}

/** The log of calls to another system, the newest first; each can be sent again. */
export function DeliveryList<T extends ShownDelivery>(props: {
  readonly rows: readonly T[];
  /** Left out where nothing can be sent again. */
  readonly onReplay?: ((row: T) => void) | undefined;
}) {
  return (
    <List>
      {props.rows.map((row) => (
        <Delivery key={row.id} delivery={row} onReplay={props.onReplay && (() => props.onReplay?.(row))} />
      ))}
    </List>
  );
}

function Delivery(props: { readonly delivery: ShownDelivery; readonly onReplay: (() => void) | undefined }) {
  const { delivery, onReplay } = props;
  const t = useMessages(deliveryMessages);
  const format = useFormat();
  // it stays where it was pressed: the focus would be lost with it
  const [isReplayed, setReplayed] = useState(false);
  const { name, state, status, error, answer, attempts, nextAttemptAt, durationMs, createdAt, webhookId } = delivery;
  const facts = [
    status === null ? undefined : `HTTP ${status}`,
    error === null || error === `HTTP ${status}` ? undefined : error,
    attempts > 0 ? t("attempts", { count: attempts }) : undefined,
    durationMs === null ? undefined : `${format.number(durationMs)} ms`,
    state === "waiting" && attempts > 0 && nextAttemptAt
      ? t("next", { date: format.dateTime(nextAttemptAt) })
      : undefined,
  ].filter((fact) => fact !== undefined && fact !== "");
  // one that waits for its next attempt need not wait for hours
  const isLater = attempts > 0 && Boolean(nextAttemptAt);
  const canReplay = onReplay !== undefined && (state !== "waiting" || isLater || isReplayed);
  return (
    <li data-state={state}>
      <div>
        <b>{name}</b> <span>· {t(state)}</span>
        <time dateTime={createdAt}>{format.dateTime(createdAt)}</time>
        <small title={webhookId}>{facts.join(" · ")}</small>
        {answer && <code>{answer}</code>}
      </div>
      {canReplay && (
        <IconButton
          size="small"
          label={t("replayLabel", { type: name })}
          onClick={() => {
            setReplayed(true);
            onReplay();
          }}
        >
          <RotateCw />
        </IconButton>
      )}
    </li>
  );
}

/** The words for why a call had no answer: the server's own reasons, and codes of the network. */
export function useCallFailure(): (error: string) => string {
  const t = useMessages(deliveryMessages);
  return (error) => t(failureOf(error));
}

function failureOf(error: string) {
  switch (error) {
    case "private address":
      return "privateAddress";
    case "no answer in time":
      return "timeout";
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return "noName";
    case "ECONNREFUSED":
      return "refused";
    default:
      return "broken";
  }
}

const deliveryMessages = defineMessages({
  pt: {
    replayLabel: "Reenviar {type}",
    waiting: "Aguardando",
    delivered: "Entregue",
    failed: "Falhou",
    attempts: { one: "{count} tentativa", other: "{count} tentativas" },
    next: "próxima em {date}",
    privateAddress: "endereço de rede interna",
    timeout: "sem resposta a tempo",
    noName: "endereço não encontrado",
    refused: "conexão recusada",
    broken: "a conexão falhou",
  },
  en: {
    replayLabel: "Send {type} again",
    waiting: "Waiting",
    delivered: "Delivered",
    failed: "Failed",
    attempts: { one: "{count} attempt", other: "{count} attempts" },
    next: "next one {date}",
    privateAddress: "address in a private network",
    timeout: "no answer in time",
    noName: "address not found",
    refused: "connection refused",
    broken: "the connection failed",
  },
  es: {
    replayLabel: "Reenviar {type}",
    waiting: "En espera",
    delivered: "Entregado",
    failed: "Falló",
    attempts: { one: "{count} intento", other: "{count} intentos" },
    next: "el próximo el {date}",
    privateAddress: "dirección de red interna",
    timeout: "sin respuesta a tiempo",
    noName: "dirección no encontrada",
    refused: "conexión rechazada",
    broken: "falló la conexión",
  },
});

const List = styled("ul")({
  margin: 0,
  padding: 0,
  listStyle: "none",
  fontSize: 13,
  "& > li": {
    display: "flex",
    alignItems: "flex-start",
    gap: 8,
    padding: "8px 0",
    borderTop: `1px solid ${color.line}`,
  },
  "& > li:first-of-type": { borderTop: 0 },
  "& > li > div": { flex: 1, minWidth: 0 },
  "& span": { whiteSpace: "nowrap", color: color.ink2 },
  "& li[data-state=failed] span": { color: color.danger },
  "& time": { marginLeft: 8, fontSize: 12, whiteSpace: "nowrap", color: color.ink2 },
  [media.phone]: { "& time": { display: "block", marginLeft: 0 } },
  "& small": { display: "block", fontSize: 12, color: color.ink2 },
  "& code": { display: "block", fontSize: 12, overflowWrap: "anywhere", color: color.ink2 },
});
