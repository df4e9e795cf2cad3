/**
 * The words of refusals that only the screens before a sign-in meet. The browser shows them as the server sends them, so
 * that they are not in its first load.
 */
import { errorWords } from "./errors.i18n.ts";
import type { ErrorCode, ServerWordedCode } from "./errors.ts";
import type { Language } from "./i18n.ts";

type Words = Readonly<Record<ServerWordedCode, string>>;

const pt: Words = {
  ERR_RESET_CODE: "O código não é válido ou já expirou. Peça um novo código.",
  ERR_SIGN_UP_REFUSED: "Não foi possível concluir o cadastro. Recarregue a página e tente de novo.",
  ERR_CONFIRMATION_LINK: "Este link de confirmação não vale mais. Entre para receber um novo.",
  ERR_EMAIL_NOT_CONFIRMED: "Confirme o seu e-mail pelo link que enviamos a ele, e entre.",
  ERR_NO_EMAIL_FOUND: "Email não encontrado",
  ERR_NO_INVITATION_FOUND: "Este convite não vale mais: pode ter sido cancelado ou trocado por um link mais novo. Peça outro a quem convidou você.",
  ERR_INVITATION_EXPIRED: "Este convite venceu. Peça um novo link a quem convidou você.",
  ERR_INVITATION_USED: "Este convite já foi usado. Entre com o seu e-mail e a sua senha.",
  ERR_USER_CREATION_DISABLED: "O cadastro de novas contas está desativado.",
};

const en: Words = {
  ERR_RESET_CODE: "The code is not valid or has expired. Ask for a new one.",
  ERR_SIGN_UP_REFUSED: "The sign-up could not be completed. Reload the page and try again.",
  ERR_CONFIRMATION_LINK: "This confirmation link is no longer valid. Sign in to get a new one.",
  ERR_EMAIL_NOT_CONFIRMED: "Confirm your email with the link that we sent to it, then sign in.",
  ERR_NO_EMAIL_FOUND: "Email not found",
  ERR_NO_INVITATION_FOUND: "This invitation is no longer valid: it may have been cancelled or replaced by a newer link. Ask whoever invited you for another.",
  ERR_INVITATION_EXPIRED: "This invitation has expired. Ask whoever invited you for a new link.",
  ERR_INVITATION_USED: "This invitation was already used. Sign in with your email and password.",
  ERR_USER_CREATION_DISABLED: "New accounts cannot be created at the moment.",
};

const es: Words = {
  ERR_RESET_CODE: "El código no es válido o ya venció. Pida uno nuevo.",
  ERR_SIGN_UP_REFUSED: "No se pudo completar el registro. Recargue la página e inténtelo de nuevo.",
  ERR_CONFIRMATION_LINK: "Este enlace de confirmación ya no vale. Entre para recibir uno nuevo.",
  ERR_EMAIL_NOT_CONFIRMED: "Confirme su correo con el enlace que le enviamos y entre.",
  ERR_NO_EMAIL_FOUND: "Correo no encontrado",
  ERR_NO_INVITATION_FOUND: "Esta invitación ya no es válida: puede haberse cancelado o reemplazado por un enlace más nuevo. Pida otra a quien le invitó.",
  ERR_INVITATION_EXPIRED: "Esta invitación venció. Pida un enlace nuevo a quien le invitó.",
  ERR_INVITATION_USED: "Esta invitación ya se usó. Entre con su correo y su contraseña.",
  ERR_USER_CREATION_DISABLED: "La creación de cuentas nuevas está desactivada.",
};

/** Every refusal in words, for the server. */
export const serverErrorWords: Readonly<Record<Language, Readonly<Record<ErrorCode, string>>>> = {
  pt: { ...errorWords.pt, ...pt },
  en: { ...errorWords.en, ...en },
  es: { ...errorWords.es, ...es },
};
