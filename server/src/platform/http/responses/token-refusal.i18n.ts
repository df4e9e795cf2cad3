import { defineMessages } from "@prosa/contract/i18n";

/** Why other software is refused (X-01, V-06): it has no session that could have ended. */
export const tokenRefusalMessages = defineMessages({
  pt: {
    missing: "Envie o cabeçalho Authorization: Bearer com o token.",
    unknown: "O token não existe ou foi trocado.",
    key: "A chave de API não existe, venceu ou foi revogada.",
  },
  en: {
    missing: "Send the header Authorization: Bearer with the token.",
    unknown: "The token does not exist, or was replaced.",
    key: "The API key does not exist, has expired or was revoked.",
  },
  es: {
    missing: "Envíe el encabezado Authorization: Bearer con el token.",
    unknown: "El token no existe o fue reemplazado.",
    key: "La clave de API no existe, venció o fue revocada.",
  },
});
