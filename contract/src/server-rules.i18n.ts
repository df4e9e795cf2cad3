/**
 * The words of rules that no form of ours breaks, or that its form words itself: for other clients of the API, which the server answers
 * in their language (behaviour 1). The others are in validation.i18n.ts. A plain table, for what is declared by defineMessages is in the
 * dictionaries that browsers load.
 */
import type { Language } from "./i18n.ts";

const rules: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  Invalid: { pt: "Valor inválido", en: "Invalid value", es: "Valor inválido" },
  Obrigatório: { pt: "Obrigatório", en: "Required", es: "Obligatorio" },
  "Invalid key": {
    pt: "A chave tem caracteres que uma chave não pode ter",
    en: "The key has characters that no key can have",
    es: "La clave tiene caracteres que una clave no puede tener",
  },
  "Invalid region": {
    pt: "Só letras minúsculas sem acento e números",
    en: "Only lowercase letters without accents and digits",
    es: "Solo letras minúsculas sin acento y números",
  },
  "Invalid time": { pt: "Use o formato HH:MM", en: "Use the format HH:MM", es: "Use el formato HH:MM" },
  "Must be after the start": {
    pt: "Deve vir depois do início",
    en: "Must be after the start",
    es: "Debe ser posterior al inicio",
  },
  "A day is there twice": { pt: "Há um dia repetido", en: "A day appears twice", es: "Hay un día repetido" },
  "Not one of the choices": {
    pt: "Não é uma das opções",
    en: "Not one of the choices",
    es: "No es una de las opciones",
  },
  "Letters, digits, _ and - only": {
    pt: "Só letras, números, _ e -",
    en: "Letters, digits, _ and - only",
    es: "Solo letras, números, _ y -",
  },
  "Choose the columns of the name and the number": {
    pt: "Escolha as colunas do nome e do número",
    en: "Choose the name and number columns",
    es: "Elija las columnas del nombre y del número",
  },
  "Nobody of this name wrote in the chat": {
    pt: "Ninguém com este nome escreveu na conversa",
    en: "Nobody with this name wrote in the chat",
    es: "Nadie con este nombre escribió en el chat",
  },
  "Not an exported chat": {
    pt: "Não é uma conversa exportada do WhatsApp",
    en: "Not a chat exported from WhatsApp",
    es: "No es un chat exportado de WhatsApp",
  },
  "Only a page of text has one": {
    pt: "Só uma página de texto tem este campo",
    en: "Only a page of text has this field",
    es: "Solo una página de texto tiene este campo",
  },
  "The file is empty": { pt: "O arquivo está vazio", en: "The file is empty", es: "El archivo está vacío" },
  "Does not match": {
    pt: "Não confere com o contato",
    en: "Does not match the contact",
    es: "No coincide con el contacto",
  },
  "Not signed": {
    pt: "As chamadas deste tipo de integração não são assinadas",
    en: "Calls of this type of integration are not signed",
    es: "Las llamadas de este tipo de integración no se firman",
  },
  "Needs a text or a mediaUrl": {
    pt: "Informe text ou mediaUrl",
    en: "Needs text or mediaUrl",
    es: "Indique text o mediaUrl",
  },
  "Too many messages": { pt: "São mensagens demais", en: "Too many messages", es: "Son demasiados mensajes" },
  "Used for another request": {
    pt: "Já usada em outro pedido",
    en: "Already used for another request",
    es: "Ya se usó en otra solicitud",
  },
  "The boundary is too long": {
    pt: "O boundary do multipart é longo demais",
    en: "The boundary of the multipart is too long",
    es: "El boundary del multipart es demasiado largo",
  },
  "Files come in another field": {
    pt: "Este campo não recebe arquivos",
    en: "This field takes no files",
    es: "Este campo no recibe archivos",
  },
  "Send UTF-8": {
    pt: "Envie o pedido em UTF-8.",
    en: "Send the request in UTF-8.",
    es: "Envíe la solicitud en UTF-8.",
  },
  "Send application/json, or multipart/form-data where the call takes files": {
    pt: "Envie application/json, ou multipart/form-data onde a chamada recebe arquivos.",
    en: "Send application/json, or multipart/form-data where the call takes files.",
    es: "Envíe application/json, o multipart/form-data donde la llamada recibe archivos.",
  },
  "Invalid JSON body": {
    pt: "O corpo do pedido não é um JSON válido.",
    en: "The body of the request is not valid JSON.",
    es: "El cuerpo de la solicitud no es un JSON válido.",
  },
  "Malformed request": {
    pt: "O pedido está malformado.",
    en: "The request is malformed.",
    es: "La solicitud está mal formada.",
  },
};

/** What a rule is called here; undefined for one that validation.i18n.ts knows. */
export function serverRuleText(rule: string, language: Language): string | undefined {
  return Object.hasOwn(rules, rule) ? rules[rule]?.[language] : undefined;
}
