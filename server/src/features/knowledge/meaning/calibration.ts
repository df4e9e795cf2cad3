import { similarity } from "./vectors.ts";
import type { UnitVector } from "./vectors.ts";

/** Questions of customers, and the passage that answers each; no other passage of these does. */
const probes = [
  [
    "que horas vocês abrem no sábado?",
    "Horário de funcionamento\nA loja fica aberta de segunda a sexta das 8 h às 18 h e aos sábados até o meio-dia.",
  ],
  [
    "dá para pagar no cartão?",
    "Formas de pagamento\nAceitamos Pix, boleto, dinheiro e cartões de crédito e débito, em até seis parcelas.",
  ],
  [
    "me arrependi, quero meu dinheiro de volta",
    "Trocas e devoluções\nO cliente pode desistir da compra em até sete dias; devolvemos o valor pago depois de receber o produto.",
  ],
  [
    "quanto tempo demora para chegar na minha casa?",
    "Entrega\nO prazo de entrega é de cinco dias úteis para capitais e de dez dias para outras cidades, com frete por transportadora.",
  ],
  [
    "meu aparelho quebrou, vocês consertam?",
    "Garantia e assistência técnica\nDefeitos de fabricação são reparados sem custo durante doze meses, com a nota fiscal.",
  ],
  [
    "esqueci minha senha e não consigo entrar",
    "Acesso à conta\nPara redefinir a senha, clique em recuperar acesso na tela de login e siga o link enviado por e-mail.",
  ],
  [
    "onde posso deixar o carro?",
    "Como chegar\nHá estacionamento gratuito para clientes no subsolo; a entrada de veículos é pela rua dos fundos.",
  ],
  [
    "vocês estão contratando?",
    "Trabalhe conosco\nAs vagas de emprego são publicadas todo mês; envie seu currículo para o departamento de recursos humanos.",
  ],
] as const;

/** What is embedded to measure a model: the questions, then the passages. */
export const probeTexts: readonly string[] = [
  ...probes.map(([question]) => question),
  ...probes.map(([, text]) => text),
];

/** No two texts are as similar: nothing is found by meaning. */
export const nothingSimilar = 2;

/**
 * The similarity from which a passage is about a question, for the model that made these vectors of `probeTexts`. Models differ: of one
 * unrelated texts have 0.1, of another 0.75. So it is measured: half way between what unrelated and related texts have on average, and
 * above every unrelated pair. `nothingSimilar` where the model does not tell them apart. Pure.
 */
export function leastSimilarityOf(vectors: readonly UnitVector[]): number {
  const questions = vectors.slice(0, probes.length);
  const passages = vectors.slice(probes.length);
  const related: number[] = [];
  const unrelated: number[] = [];
  for (const [row, question] of questions.entries()) {
    for (const [column, passage] of passages.entries()) {
      (row === column ? related : unrelated).push(similarity(question, passage));
    }
  }
  const least = Math.max((mean(related) + mean(unrelated)) / 2, ...unrelated);
  return least < mean(related) ? least : nothingSimilar;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0) / values.length;
}
