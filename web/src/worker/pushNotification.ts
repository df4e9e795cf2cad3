/** Web push messages as notifications. */

export interface PushNotification {
  readonly title: string;
  readonly body: string;
  readonly path: string;
}

const words = {
  pt: {
    test: "As notificações funcionam neste aparelho.",
    image: "Foto",
    video: "Vídeo",
    audio: "Áudio",
    application: "Documento",
    sticker: "Figurinha",
    locationMessage: "Localização",
    vcard: "Contato",
    call_log: "Chamada",
    other: "Nova mensagem",
  },
  en: {
    test: "Notifications work on this device.",
    image: "Photo",
    video: "Video",
    audio: "Audio",
    application: "Document",
    sticker: "Sticker",
    locationMessage: "Location",
    vcard: "Contact",
    call_log: "Call",
    other: "New message",
  },
  es: {
    test: "Las notificaciones funcionan en este dispositivo.",
    image: "Foto",
    video: "Video",
    audio: "Audio",
    application: "Documento",
    sticker: "Sticker",
    locationMessage: "Ubicación",
    vcard: "Contacto",
    call_log: "Llamada",
    other: "Mensaje nuevo",
  },
} as const;

/** The notification of a push in the device's language; a generic one for an unreadable push. */
export function notificationOf(packet: unknown, language: string): PushNotification {
  const text = words[language.slice(0, 2) as keyof typeof words] ?? words.pt;
  if (!isRecord(packet)) {
    return { title: "Prosa", body: text.other, path: "/tickets" };
  }
  const { kind, title, body, mediaType, path } = packet;
  const ofKind = kind === "test" ? text.test : (text[mediaType as keyof typeof text] ?? text.other);
  return {
    title: typeof title === "string" && title !== "" ? title : "Prosa",
    body: typeof body === "string" && body !== "" ? body : ofKind,
    // Only URLs of this app, whatever the packet says.
    path: typeof path === "string" && /^\/(?!\/)[\w/-]*$/.test(path) ? path : "/tickets",
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
