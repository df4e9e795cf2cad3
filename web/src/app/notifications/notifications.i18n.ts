import { defineMessages } from "#web/lib/text/i18n.ts";

export const notificationMessages = defineMessages({
  pt: {
    bell: "Conversas não lidas",
    nothing: "Tudo lido",
    nothingText: "Mensagens novas das suas conversas aparecem aqui.",
    waiting: "Aguardando",
    mute: "Silenciar neste navegador",
    unmute: "Ativar o som e os avisos",
    allow: "Mostrar avisos neste aparelho",
    more: "Ver todas as conversas",
  },
  en: {
    bell: "Unread conversations",
    nothing: "All read",
    nothingText: "New messages of your conversations show here.",
    waiting: "Waiting",
    mute: "Mute in this browser",
    unmute: "Turn sound and notifications on",
    allow: "Show notifications on this device",
    more: "See all conversations",
  },
  es: {
    bell: "Conversaciones no leídas",
    nothing: "Todo leído",
    nothingText: "Los mensajes nuevos de sus conversaciones aparecen aquí.",
    waiting: "En espera",
    mute: "Silenciar en este navegador",
    unmute: "Activar el sonido y los avisos",
    allow: "Mostrar avisos en este dispositivo",
    more: "Ver todas las conversaciones",
  },
});
