/** What is wrong with a value, in the words of the specification (its section 5): for fields of forms and the server's refusals. */
import { defineMessages, translator } from "./i18n.ts";
import type { Language } from "./i18n.ts";

const messages = defineMessages({
  pt: {
    required: "Obrigatório",
    tooShort: "Muito curto!",
    tooLong: "Muito longo!",
    minLength: { one: "Muito curto! Ao menos {count} caractere", other: "Muito curto! Ao menos {count} caracteres" },
    maxLength: { one: "Muito longo! No máximo {count} caractere", other: "Muito longo! No máximo {count} caracteres" },
    messageTooShort: "Mensagem muito curta",
    messageMinLength: {
      one: "Mensagem muito curta. Ao menos {count} caractere",
      other: "Mensagem muito curta. Ao menos {count} caracteres",
    },
    nameMinLength: {
      one: "nome muito curto, ao menos {count} caractere",
      other: "nome muito curto, ao menos {count} caracteres",
    },
    minItems: "Escolha ao menos {count}",
    maxItems: "Escolha no máximo {count}",
    minNumber: "Deve ser {limit} ou mais",
    maxNumber: "Deve ser {limit} ou menos",
    email: "E-mail inválido",
    time: "Use o formato HH:MM",
    date: "Data inválida",
    past: "Este horário já passou",
    range: "O período termina antes de começar ou é longo demais",
    hours: "Os horários se sobrepõem",
    waitLimit: "Deve ser maior que o tempo de aviso",
    timeZone: "Fuso horário inválido",
    taken: "Já está em uso",
    noQueue: "Informe o setor",
    onlyTransfer: "Só ao transferir",
    chooseQueue: "Selecione uma fila",
    filter: "Parametrize o filtro",
    oneAudience: "Escolha uma lista ou uma etiqueta, não as duas",
    noMessage: "Escreva ao menos uma mensagem ou anexe um arquivo",
    keyTaken: "Este atalho já existe",
    chatTitle: "Por favor, preencha o título da conversa.",
    chatUsers: "Por favor, selecione pelo menos um usuário.",
    password: "Sua senha precisa ter no mínimo 8 caracteres, sendo uma letra maiúscula, uma minúscula e um número.",
    confirmation: "As senhas não correspondem",
    pixOnly: "O pagamento é só por Pix: não envie dados de cartão",
    taxId: "CPF ou CNPJ inválido",
    certificate: "Certificado inválido: use PEM com a chave, ou um p12 sem senha",
    address: "Endereço inválido: comece com https://",
    privateAddress: "Endereços de redes internas não são aceitos",
    json: "JSON inválido",
    video: "Código do vídeo inválido",
    botWord: "0, #, sair, exit e salir são do robô",
    optionQueue: "Uma opção fica na sua fila",
    optionParent: "Uma opção não pode ficar abaixo de si mesma",
    noOption: "Não há essa opção nesta fila",
    otherPerson: "Escolha outra pessoa",
    noSimulator: "O simulador está desligado",
    characters: "Contém caracteres que não podem ser salvos",
    upload: "O envio está incompleto. Tente de novo",
    noFileOption: "Há mais arquivos do que opções",
    tooManyFiles: "São arquivos demais, com os que um colega adicionou. Abra o formulário de novo",
    invalid: "Valor inválido",
  },
  en: {
    required: "Required",
    tooShort: "Too Short!",
    tooLong: "Too Long!",
    minLength: { one: "Too Short! At least {count} character", other: "Too Short! At least {count} characters" },
    maxLength: { one: "Too Long! At most {count} character", other: "Too Long! At most {count} characters" },
    messageTooShort: "Message too short",
    messageMinLength: {
      one: "Message too short. At least {count} character",
      other: "Message too short. At least {count} characters",
    },
    nameMinLength: {
      one: "name too short, at least {count} character",
      other: "name too short, at least {count} characters",
    },
    minItems: "Choose at least {count}",
    maxItems: "Choose at most {count}",
    minNumber: "Must be {limit} or more",
    maxNumber: "Must be {limit} or less",
    email: "Invalid email",
    time: "Use the format HH:MM",
    date: "Invalid date",
    past: "This time has passed",
    range: "The range ends before it begins, or is too long",
    hours: "The hours overlap",
    waitLimit: "Must be more than the warning time",
    timeZone: "Invalid time zone",
    taken: "Already in use",
    noQueue: "Choose the queue",
    onlyTransfer: "Only with a transfer",
    chooseQueue: "Choose a queue",
    filter: "Choose a period or dates",
    oneAudience: "Choose a list or a tag, not both",
    noMessage: "Write at least one message or attach a file",
    keyTaken: "This shortcut already exists",
    chatTitle: "Please give the chat a title.",
    chatUsers: "Please choose at least one user.",
    password:
      "Your password must have at least 8 characters, with one uppercase letter, one lowercase letter and one digit.",
    confirmation: "The passwords do not match",
    pixOnly: "Payment is by Pix only: do not send card data",
    taxId: "Invalid CPF or CNPJ",
    certificate: "Invalid certificate: use PEM with its key, or a p12 without a password",
    address: "Invalid address: it must begin with https://",
    privateAddress: "Addresses of private networks are not accepted",
    json: "Invalid JSON",
    video: "Invalid video code",
    botWord: "0, #, sair, exit and salir are the bot's",
    optionQueue: "An option stays in its queue",
    optionParent: "An option cannot be below itself",
    noOption: "There is no such option in this queue",
    otherPerson: "Choose another person",
    noSimulator: "The simulator is turned off",
    characters: "Contains characters that cannot be stored",
    upload: "The upload is incomplete. Try again",
    noFileOption: "There are more files than options",
    tooManyFiles: "Too many files, counting those a colleague added. Open the form again",
    invalid: "Invalid value",
  },
  es: {
    required: "Obligatorio",
    tooShort: "¡Demasiado corto!",
    tooLong: "¡Demasiado largo!",
    minLength: {
      one: "¡Demasiado corto! Al menos {count} carácter",
      other: "¡Demasiado corto! Al menos {count} caracteres",
    },
    maxLength: {
      one: "¡Demasiado largo! Como máximo {count} carácter",
      other: "¡Demasiado largo! Como máximo {count} caracteres",
    },
    messageTooShort: "Mensaje demasiado corto",
    messageMinLength: {
      one: "Mensaje demasiado corto. Al menos {count} carácter",
      other: "Mensaje demasiado corto. Al menos {count} caracteres",
    },
    nameMinLength: {
      one: "nombre demasiado corto, al menos {count} carácter",
      other: "nombre demasiado corto, al menos {count} caracteres",
    },
    minItems: "Elija al menos {count}",
    maxItems: "Elija como máximo {count}",
    minNumber: "Debe ser {limit} o más",
    maxNumber: "Debe ser {limit} o menos",
    email: "Correo inválido",
    time: "Use el formato HH:MM",
    date: "Fecha inválida",
    past: "Esta hora ya pasó",
    range: "El período termina antes de comenzar o es demasiado largo",
    hours: "Los horarios se superponen",
    waitLimit: "Debe ser mayor que el tiempo de aviso",
    timeZone: "Zona horaria inválida",
    taken: "Ya está en uso",
    noQueue: "Elija la cola",
    onlyTransfer: "Solo al transferir",
    chooseQueue: "Seleccione una cola",
    filter: "Elija un período o fechas",
    oneAudience: "Elija una lista o una etiqueta, no las dos",
    noMessage: "Escriba al menos un mensaje o adjunte un archivo",
    keyTaken: "Este atajo ya existe",
    chatTitle: "Por favor, escriba el título de la conversación.",
    chatUsers: "Por favor, seleccione al menos un usuario.",
    password: "La contraseña debe tener al menos 8 caracteres, con una letra mayúscula, una minúscula y un número.",
    confirmation: "Las contraseñas no coinciden",
    pixOnly: "El pago es solo por Pix: no envíe datos de tarjeta",
    taxId: "CPF o CNPJ no válido",
    certificate: "Certificado no válido: use PEM con su clave, o un p12 sin contraseña",
    address: "Dirección inválida: comience con https://",
    privateAddress: "No se aceptan direcciones de redes internas",
    json: "JSON inválido",
    video: "Código de video inválido",
    botWord: "0, #, sair, exit y salir son del bot",
    optionQueue: "Una opción se queda en su cola",
    optionParent: "Una opción no puede estar debajo de sí misma",
    noOption: "No existe esa opción en esta cola",
    otherPerson: "Elija otra persona",
    noSimulator: "El simulador está apagado",
    characters: "Contiene caracteres que no se pueden guardar",
    upload: "El envío está incompleto. Inténtelo de nuevo",
    noFileOption: "Hay más archivos que opciones",
    tooManyFiles: "Son demasiados archivos, con los que agregó un colega. Abra el formulario de nuevo",
    invalid: "Valor inválido",
  },
});

type PlainKey = Exclude<
  keyof typeof messages.pt,
  "minLength" | "maxLength" | "messageMinLength" | "nameMinLength" | "minItems" | "maxItems" | "minNumber" | "maxNumber"
>;

/** The words of the contract's rules and of the services, and what they are called here. */
const known: Readonly<Record<string, PlainKey>> = {
  Required: "required",
  "Too Short!": "tooShort",
  "Too Long!": "tooLong",
  "Mensagem muito curta": "messageTooShort",
  "Invalid email": "email",
  "HH:MM": "time",
  "Invalid date": "date",
  "In the past": "past",
  "The range ends before it begins, or is too long": "range",
  "Ranges overlap": "hours",
  "The limit is not later than the warning": "waitLimit",
  "Invalid time zone": "timeZone",
  "Already in use": "taken",
  "Invalid address": "address",
  "Sua senha precisa ter no mínimo 8 caracteres, sendo uma letra maiúscula, uma minúscula e um número.": "password",
  "As senhas não correspondem": "confirmation",
  "Pix only": "pixOnly",
  "Invalid CPF or CNPJ": "taxId",
  "Invalid certificate": "certificate",
  "Private address": "privateAddress",
  "Invalid JSON": "json",
  "Not a JSON array": "json",
  "Not JSON": "json",
  "Invalid video code": "video",
  "Word of the bot": "botWord",
  "An option stays in its queue": "optionQueue",
  "An option cannot be below itself": "optionParent",
  "No such option in this queue": "noOption",
  "Another person is wanted": "otherPerson",
  "The simulator is turned off": "noSimulator",
  "Contains characters that cannot be stored": "characters",
  "The upload is not whole": "upload",
  "No option is left for a file": "noFileOption",
  "Too many files": "tooManyFiles",
};

/** Sentences of the specification that say which value is missing: better than "Required". */
const sentences: Readonly<Record<string, PlainKey>> = {
  "Informe o setor": "noQueue",
  "Only with a transfer": "onlyTransfer",
  "Selecione uma fila": "chooseQueue",
  "Parametrize o filtro": "filter",
  "A list or a tag": "oneAudience",
  "Nothing to send": "noMessage",
  "Key exists": "keyTaken",
  "Por favor, preencha o título da conversa.": "chatTitle",
  "Por favor, selecione pelo menos um usuário.": "chatUsers",
};

/** What a schema found wrong with one value. */
export interface Finding {
  readonly code?: string | undefined;
  readonly message: string;
  readonly origin?: string | undefined;
  readonly minimum?: number | bigint | undefined;
  /** False: the minimum itself is too small, as for an id, which is more than 0. */
  readonly inclusive?: boolean | undefined;
  readonly maximum?: number | bigint | undefined;
  readonly isEmpty?: boolean;
}

/** One sentence for the field. A rule of one value with words that are not known here passes as it is. */
export function findingText(finding: Finding, language: Language): string {
  const t = translator(messages, language);
  const { code, message, minimum, maximum } = finding;
  const sentence = sentences[message];
  if (sentence !== undefined) {
    return t(sentence);
  }
  if (message === "Required" || finding.isEmpty) {
    return t("required");
  }
  if (code === "too_small" && minimum !== undefined && finding.inclusive !== false) {
    return tooSmall(finding, Number(minimum), language);
  }
  if (code === "too_big" && maximum !== undefined) {
    return tooBig(finding, Number(maximum), language);
  }
  const key = known[message];
  return key ? t(key) : code === "custom" ? message : t("invalid");
}

/** Words of the specification for one field. */
const lengthKeys: Readonly<Record<string, "messageMinLength" | "nameMinLength">> = {
  "Mensagem muito curta": "messageMinLength",
  "nome muito curto": "nameMinLength",
};

function tooSmall({ origin, message }: Finding, minimum: number, language: Language): string {
  const t = translator(messages, language);
  switch (origin) {
    case "string":
      return t(lengthKeys[message] ?? "minLength", { count: minimum });
    case "array":
      return t("minItems", { count: minimum });
    default:
      return t("minNumber", { limit: minimum });
  }
}

function tooBig({ origin }: Finding, maximum: number, language: Language): string {
  const t = translator(messages, language);
  switch (origin) {
    case "string":
      return t("maxLength", { count: maximum });
    case "array":
      return t("maxItems", { count: maximum });
    default:
      return t("maxNumber", { limit: maximum });
  }
}
