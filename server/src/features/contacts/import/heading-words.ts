/** What a heading names. `number?` names a phone number only if its cells look like one: "Número" may be of a house. */
export type HeadingMeaning =
  | ("fullName" | "firstName" | "middleName" | "lastName" | "otherName")
  | ("whatsapp" | "mobile" | "phone" | "number?" | "areaCode")
  | "email";

/** A column beside a number or an address: its kind, not its value. Exports of Google and ERPs are full of them. */
const isBeside =
  /(^| )(label|type|tipo|rotulo|etiqueta|fax|pager|phonetic|data|date|fecha|status|situacao|operadora|id|cod)( |$)/u;

const fullName =
  /^(nome completo|full name|nombre completo|display name|nome e sobrenome|nombre y apellidos?|(nome|nombre|name) (do |da |del |de la )?(cliente|contato|contacto|pessoa|paciente|aluno)|(customer|client|contact) (full )?name)$/u;
const firstName = /^(nome|nombres?|name|first name|given name|primeiro nome|primer nombre|nombre de pila)$/u;
const middleName = /^(middle name|additional name|segundo nome|segundo nombre|nome do meio)$/u;
const lastName =
  /^(sobrenomes?|last name|surname|family name|ultimo nome|apellidos?|apellido (paterno|materno)|(primer|segundo) apellido)$/u;
/** In the order of preference, where no column is headed with a person's name. */
const otherNames = [
  /^(nome fantasia|razao social|razon social|nombre comercial|nombre de fantasia|business name)$/u,
  /^(cliente|client|customer|contato|contacto|contact|pessoa|persona|person|paciente|aluno|alumno|responsavel)$/u,
  /^(empresa|company|company name|organization name|nickname|apelido|apodo|file as)$/u,
] as const;

const whatsapp = /(^| )(whats\w*|wats\w*|wpp|wapp?|zap\w*)( |$)/u;
const mobile = /(^| )(celular\w*|celulares|cel\d*|cell\w*|movil\w*|moviles|mobile\w*)( |$)/u;
const phone = /(^| )(tel\d*|tels|telef\w*|telephone\w*|fone\w*|phone\w*)( |$)/u;
const maybeNumber =
  /^((numero|number|num|nro|no)( (do |del |de )?(contato|contacto|contact|cliente))?|contato|contacto|contact)$/u;
const areaCode = /^(ddd|area code|codigo (de )?area|(ddd|prefixo) (telefone|celular|fone))$/u;
const email = /(^| )(e ?mails?|correos?|correio)\d*( |$)/u;

/** What a heading of a sheet names, in Portuguese, English or Spanish; undefined if it is of no use to an import. Pure. */
export function meaningsOf(heading: string): readonly HeadingMeaning[] {
  const words = fold(heading);
  if (words === "" || words.length > 60 || isBeside.test(words)) {
    return [];
  }
  const meanings: readonly (readonly [HeadingMeaning, boolean])[] = [
    ["fullName", fullName.test(words)],
    ["firstName", firstName.test(words)],
    ["middleName", middleName.test(words)],
    ["lastName", lastName.test(words)],
    ["email", email.test(words)],
    ["whatsapp", whatsapp.test(words)],
    ["mobile", mobile.test(words)],
    ["phone", phone.test(words)],
    ["number?", maybeNumber.test(words)],
    ["areaCode", areaCode.test(words)],
    ["otherName", otherNameRank(heading) !== undefined],
  ];
  return meanings.flatMap(([meaning, isMeant]) => (isMeant ? [meaning] : []));
}

/** How well a heading stands for the name, 0 first; undefined if it does not. Pure. */
export function otherNameRank(heading: string): number | undefined {
  const rank = otherNames.findIndex((pattern) => pattern.test(fold(heading)));
  return rank < 0 ? undefined : rank;
}

/** Words in lower case, without accents and signs: "E-MAIL 1 - Value" and "PhoneNumber" become "e mail 1 value", "phone number". */
function fold(heading: string): string {
  return heading
    .trim()
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
