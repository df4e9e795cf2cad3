/** Written as in Brazil in every language (specification 2, section 9). */
const format = new Intl.NumberFormat("pt-BR", { style: "currency", currency: "BRL" });

/** "R$ 1.234,50" */
export function reais(value: number): string {
  return format.format(value);
}
