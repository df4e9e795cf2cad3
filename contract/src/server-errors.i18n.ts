/**
 * The words of refusals that are rare or met before a sign-in only. The browser shows them as the server sends them, in the
 * language that it asks for, so that they are not in its first load.
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
  ERR_NO_INVITATION_FOUND:
    "Este convite não vale mais: pode ter sido cancelado ou trocado por um link mais novo. Peça outro a quem convidou você.",
  ERR_INVITATION_EXPIRED: "Este convite venceu. Peça um novo link a quem convidou você.",
  ERR_INVITATION_USED: "Este convite já foi usado. Entre com o seu e-mail e a sua senha.",
  ERR_USER_CREATION_DISABLED: "O cadastro de novas contas está desativado.",
  ERR_QUEUE_NAME_TAKEN: "Já existe uma fila com esse nome.",
  ERR_WAPP_NAME_TAKEN: "Já existe uma conexão com esse nome.",
  ERR_IN_USE: "Isto ainda está em uso e não pode ser excluído.",
  ERR_PLAN_LIMIT: "O limite do plano foi atingido. Remova um item ou mude de plano.",
  ERR_STORAGE_FULL:
    "O armazenamento do servidor está cheio: nada pode ser salvo agora. O operador precisa liberar espaço.",
  ERR_CAMPAIGN_NOT_EDITABLE: "Esta campanha só pode ser alterada inativa ou até uma hora antes do início.",
  ERR_CAMPAIGN_NOT_RUNNING: "Só uma campanha em andamento pode ser cancelada.",
  ERR_CAMPAIGN_NOT_CANCELLED: "Só uma campanha cancelada pode ser retomada.",
  ERR_CAMPAIGN_RUNNING: "Esta campanha está em andamento. Cancele antes de excluir.",
  ERR_UNDO_TOO_LATE: "O prazo para desfazer já passou.",
  ERR_UNDO_LATER_FIRST: "Desfaça primeiro a união mais recente.",
  ERR_USER_NOT_INVITED: "Esta pessoa já tem senha e entra normalmente: não há convite em aberto.",
  ERR_WAPP_NOT_SIMULATOR: "Isso só existe em conexões do simulador.",
};

const en: Words = {
  ERR_RESET_CODE: "The code is not valid or has expired. Ask for a new one.",
  ERR_SIGN_UP_REFUSED: "The sign-up could not be completed. Reload the page and try again.",
  ERR_CONFIRMATION_LINK: "This confirmation link is no longer valid. Sign in to get a new one.",
  ERR_EMAIL_NOT_CONFIRMED: "Confirm your email with the link that we sent to it, then sign in.",
  ERR_NO_EMAIL_FOUND: "Email not found",
  ERR_NO_INVITATION_FOUND:
    "This invitation is no longer valid: it may have been cancelled or replaced by a newer link. Ask whoever invited you for another.",
  ERR_INVITATION_EXPIRED: "This invitation has expired. Ask whoever invited you for a new link.",
  ERR_INVITATION_USED: "This invitation was already used. Sign in with your email and password.",
  ERR_USER_CREATION_DISABLED: "New accounts cannot be created at the moment.",
  ERR_QUEUE_NAME_TAKEN: "There is already a queue with this name.",
  ERR_WAPP_NAME_TAKEN: "There is already a connection with this name.",
  ERR_IN_USE: "This is still in use and cannot be deleted.",
  ERR_PLAN_LIMIT: "The limit of your plan is reached. Remove something or change the plan.",
  ERR_STORAGE_FULL: "The server's storage is full: nothing can be saved right now. The operator has to make room.",
  ERR_CAMPAIGN_NOT_EDITABLE: "This campaign can only be changed while inactive or until an hour before its start.",
  ERR_CAMPAIGN_NOT_RUNNING: "Only a campaign in progress can be cancelled.",
  ERR_CAMPAIGN_NOT_CANCELLED: "Only a cancelled campaign can be restarted.",
  ERR_CAMPAIGN_RUNNING: "This campaign is in progress. Cancel it before you delete it.",
  ERR_UNDO_TOO_LATE: "It is too late to undo this.",
  ERR_UNDO_LATER_FIRST: "Undo the later merge first.",
  ERR_USER_NOT_INVITED: "This person already has a password and signs in as usual: there is no open invitation.",
  ERR_WAPP_NOT_SIMULATOR: "Only simulator connections can do this.",
};

const es: Words = {
  ERR_RESET_CODE: "El código no es válido o ya venció. Pida uno nuevo.",
  ERR_SIGN_UP_REFUSED: "No se pudo completar el registro. Recargue la página e inténtelo de nuevo.",
  ERR_CONFIRMATION_LINK: "Este enlace de confirmación ya no vale. Entre para recibir uno nuevo.",
  ERR_EMAIL_NOT_CONFIRMED: "Confirme su correo con el enlace que le enviamos y entre.",
  ERR_NO_EMAIL_FOUND: "Correo no encontrado",
  ERR_NO_INVITATION_FOUND:
    "Esta invitación ya no es válida: puede haberse cancelado o reemplazado por un enlace más nuevo. Pida otra a quien le invitó.",
  ERR_INVITATION_EXPIRED: "Esta invitación venció. Pida un enlace nuevo a quien le invitó.",
  ERR_INVITATION_USED: "Esta invitación ya se usó. Entre con su correo y su contraseña.",
  ERR_USER_CREATION_DISABLED: "La creación de cuentas nuevas está desactivada.",
  ERR_QUEUE_NAME_TAKEN: "Ya existe una cola con ese nombre.",
  ERR_WAPP_NAME_TAKEN: "Ya existe una conexión con ese nombre.",
  ERR_IN_USE: "Esto todavía está en uso y no se puede eliminar.",
  ERR_PLAN_LIMIT: "Se alcanzó el límite del plan. Elimine algo o cambie de plan.",
  ERR_STORAGE_FULL:
    "El almacenamiento del servidor está lleno: no se puede guardar nada ahora. El operador debe liberar espacio.",
  ERR_CAMPAIGN_NOT_EDITABLE: "Esta campaña solo se puede cambiar inactiva o hasta una hora antes del inicio.",
  ERR_CAMPAIGN_NOT_RUNNING: "Solo se puede cancelar una campaña en curso.",
  ERR_CAMPAIGN_NOT_CANCELLED: "Solo se puede reanudar una campaña cancelada.",
  ERR_CAMPAIGN_RUNNING: "Esta campaña está en curso. Cancélela antes de eliminarla.",
  ERR_UNDO_TOO_LATE: "El plazo para deshacer ya pasó.",
  ERR_UNDO_LATER_FIRST: "Deshaga primero la unión más reciente.",
  ERR_USER_NOT_INVITED: "Esta persona ya tiene contraseña y entra normalmente: no hay ninguna invitación abierta.",
  ERR_WAPP_NOT_SIMULATOR: "Esto solo existe en conexiones del simulador.",
};

/** Every refusal in words, for the server. */
export const serverErrorWords: Readonly<Record<Language, Readonly<Record<ErrorCode, string>>>> = {
  pt: { ...errorWords.pt, ...pt },
  en: { ...errorWords.en, ...en },
  es: { ...errorWords.es, ...es },
};
