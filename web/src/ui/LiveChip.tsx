import { styled } from "./styled.ts";
import { defineMessages, useMessages } from "#web/lib/text/i18n.ts";
import { useLiveState } from "#web/lib/realtime/socket.ts";
import { color, media, visuallyHidden } from "./tokens.ts";

/** The state of the socket connection: whether the lists on screen are live or may be stale; and lines that have fallen. */
export function LiveChip({ downLines }: { readonly downLines: readonly string[] }) {
  const t = useMessages(messages);
  const state = useLiveState();
  const isLineDown = state === "live" && downLines.length > 0;
  const [name = ""] = downLines;
  const text = !isLineDown
    ? t(state)
    : downLines.length === 1
      ? t("lineDown", { name })
      : t("linesDown", { count: downLines.length });
  return (
    <Root
      role="status"
      data-state={isLineDown ? "lineDown" : state}
      title={isLineDown ? t("lineDownHint", { names: downLines.join(", ") }) : t(`${state}Hint`)}
    >
      <i aria-hidden />
      <span>{text}</span>
    </Root>
  );
}

const Root = styled("span")({
  flex: "none",
  display: "inline-flex",
  alignItems: "center",
  gap: 8,
  height: 28,
  padding: "0 12px",
  border: `1px solid ${color.line}`,
  borderRadius: 14,
  fontSize: 12,
  color: color.ink2,
  whiteSpace: "nowrap",
  "& i": { width: 7, height: 7, borderRadius: "50%", backgroundColor: color.ink3 },
  "&[data-state='live'] i": { backgroundColor: color.accent },
  "&[data-state='catchingUp'] i, &[data-state='connecting'] i": {
    backgroundColor: color.warning,
    animation: "prosa-pulse 1s infinite",
  },
  "&[data-state='lineDown']": { borderColor: color.warning, color: color.warningInk },
  "&[data-state='lineDown'] i": { backgroundColor: color.warning },
  "& span": { maxWidth: 200, overflow: "hidden", textOverflow: "ellipsis" },
  "&[data-state='offline'], &[data-state='crowded']": { borderColor: color.danger, color: color.danger },
  "&[data-state='offline'] i, &[data-state='crowded'] i": { backgroundColor: color.danger },
  [media.phone]: {
    // gives way to the buttons of the bar
    flex: "0 1 auto",
    minWidth: 28,
    padding: "0 10px",
    "& i": { flex: "none" },
    "& span": { minWidth: 0 },
    // a word that passes in a second would push the company's name away; what needs a look keeps its word
    "&[data-state='live'] span, &[data-state='lineDown'] span": visuallyHidden,
    "&[data-state='connecting'] span, &[data-state='catchingUp'] span": visuallyHidden,
  },
});

const messages = defineMessages({
  pt: {
    connecting: "conectando",
    connectingHint: "Conectando ao servidor",
    live: "ao vivo",
    liveHint: "Tudo o que você vê está atualizado",
    lineDown: "{name} fora do ar",
    linesDown: { one: "{count} conexão fora do ar", other: "{count} conexões fora do ar" },
    lineDownHint: "Sem conexão com o WhatsApp: {names}. O que for enviado espera e sai quando voltar.",
    catchingUp: "atualizando",
    catchingUpHint: "Buscando o que aconteceu enquanto a conexão esteve fora",
    offline: "sem conexão",
    offlineHint: "O que você vê pode estar desatualizado. Tentando reconectar…",
    crowded: "abas demais",
    crowdedHint:
      "O Prosa está aberto em abas demais: esta não é atualizada. Feche algumas, e esta se conecta sozinha em meio minuto.",
  },
  en: {
    connecting: "connecting",
    connectingHint: "Connecting to the server",
    live: "live",
    liveHint: "Everything you see is up to date",
    lineDown: "{name} is down",
    linesDown: { one: "{count} connection is down", other: "{count} connections are down" },
    lineDownHint: "Not connected to WhatsApp: {names}. What is sent waits, and goes out when it is back.",
    catchingUp: "catching up",
    catchingUpHint: "Fetching what happened while the connection was down",
    offline: "offline",
    offlineHint: "What you see may be out of date. Trying to reconnect…",
    crowded: "too many tabs",
    crowdedHint:
      "Prosa is open in too many tabs: this one is not kept up to date. Close some, and it connects by itself within half a minute.",
  },
  es: {
    connecting: "conectando",
    connectingHint: "Conectando con el servidor",
    live: "en vivo",
    liveHint: "Todo lo que ve está actualizado",
    lineDown: "{name} sin conexión",
    linesDown: { one: "{count} conexión caída", other: "{count} conexiones caídas" },
    lineDownHint: "Sin conexión con WhatsApp: {names}. Lo que se envíe espera y sale cuando vuelva.",
    catchingUp: "actualizando",
    catchingUpHint: "Buscando lo que ocurrió mientras no había conexión",
    offline: "sin conexión",
    offlineHint: "Lo que ve puede estar desactualizado. Intentando reconectar…",
    crowded: "demasiadas pestañas",
    crowdedHint:
      "Prosa está abierto en demasiadas pestañas: esta no se actualiza. Cierre algunas y se conectará sola en medio minuto.",
  },
});
