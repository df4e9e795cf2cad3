export interface Jid {
  user: string;
  server: string;
  device: number;
}

export function parseJid(text: string): Jid {
  const at = text.indexOf("@");
  const [user = "", device] = text.slice(0, at).split(":");
  return { user, server: text.slice(at + 1), device: device ? Number(device) : 0 };
}

export const pnJid = (number: string, device = 0): string =>
  device ? `${number}:${device}@s.whatsapp.net` : `${number}@s.whatsapp.net`;

export const lidJid = (lid: string, device = 0): string => (device ? `${lid}:${device}@lid` : `${lid}@lid`);
