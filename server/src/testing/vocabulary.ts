/** Number of different words: with names, misspellings and codes people write far more than a dictionary holds. */
const size = 200_000;
/** The most frequent words: the first one is about every tenth word. */
const frequent =
  "de que o a não e você um para com pedido é por favor boa tarde obrigado obrigada hoje ainda quanto valor entrega bom dia " +
  "noite oi olá sim tudo bem qual meu minha está pode ser amanhã boleto pix pagamento cartão nota fiscal endereço cidade " +
  "rua número telefone horário atendimento loja produto tamanho cor preço desconto frete prazo troca devolução garantia " +
  "defeito estoque reserva orçamento proposta contrato cadastro senha acesso problema ajuda dúvida confirmação comprovante " +
  "segunda terça quarta quinta sexta sábado domingo manhã semana mês ano chegou enviado recebido cancelado atrasado urgente " +
  "aguardo combinado perfeito ótimo certo então porque quando onde como muito pouco mais menos agora depois antes já também";
const syllables =
  "ba be bi ca co cu da de di fa fe go gu la le li lo ma me mi mo na no pa pe po ra re ri ro sa se ta te ti to tu va ve vi";

/** A power of two, fine enough that each word of the long tail is drawn. */
const chances = 2 ** 30;

/**
 * Words for a Zipf distribution: the n-th is used 1/n times as often as the first. The frequent ones are real, the others
 * are made of syllables, so that they share substrings as words of a language do.
 */
export function vocabulary(): string[] {
  const words = new Set(frequent.split(" "));
  const parts = syllables.split(" ");
  for (let n = 0; words.size < size; n += 1) {
    // a step that is coprime to the number of combinations visits all of them in a mixed order
    let rest = (n * 7_919) % parts.length ** 4;
    let word = "";
    for (let left = 2 + (n % 3); left > 0; left -= 1) {
      word += parts[rest % parts.length];
      rest = Math.floor(rest / parts.length);
    }
    words.add(word);
  }
  return [...words];
}

/**
 * SQL of the text of message `k` of ticket `t.id`: three to fourteen words of the table `vocabulary (n, word)`, in every
 * eighth message with a number, in every second after a greeting. The same for the same ids.
 */
export function messageText(): string {
  const chance = (salt: string) => `(hashint8extended(t.id::bigint * 100000 + k, ${salt}) & ${chances - 1})`;
  return `
    case when ${chance("-1")} % 2 = 0 then 'Bom dia! ' else '' end ||
    (select string_agg(v.word, ' ') from generate_series(1, 3 + (${chance("-2")} % 12)::int) i
     join vocabulary v on v.n = floor(exp(${chance("i")}::float8 / ${chances} * ${Math.log(size)}::float8))::int) ||
    case when ${chance("-3")} % 8 = 0 then ' nº ' || ${chance("-4")} % 1000000 else '' end`;
}
