/** The details of an entry as short texts: `name: Vendas → Compras`. */
export function detailLines(details: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(details).map(([field, value]) => {
    if (typeof value === "object" && value !== null && "from" in value && "to" in value) {
      return `${field}: ${short(value.from)} → ${short(value.to)}`;
    }
    return `${field}: ${short(value)}`;
  });
}

function short(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value ?? "");
  return text.length > 80 ? `${text.slice(0, 80)}…` : text || "–";
}
