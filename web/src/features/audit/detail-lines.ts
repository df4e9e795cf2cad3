/** What a field or a value is called. */
export type Naming = (code: string) => string;

/**
 * The details of an entry as short texts: `nome: Vendas → Compras`. Details that are a change themselves, as of an option,
 * are one text: `ligado → desligado`.
 */
export function detailLines(
  details: Readonly<Record<string, unknown>>,
  fieldName: Naming,
  valueName: Naming,
): string[] {
  if (isChange(details)) {
    const { from, to, ...others } = details;
    return [changeOf({ from, to }, valueName), ...detailLines(others, fieldName, valueName)];
  }
  return Object.entries(details).map(([field, value]) => {
    const shown = isChange(value) ? changeOf(value, valueName) : short(value, valueName);
    return `${fieldName(field)}: ${shown}`;
  });
}

interface Change {
  readonly from: unknown;
  readonly to: unknown;
}

function isChange(value: unknown): value is Change {
  return typeof value === "object" && value !== null && "from" in value && "to" in value;
}

function changeOf({ from, to }: Change, valueName: Naming): string {
  return `${short(from, valueName)} → ${short(to, valueName)}`;
}

function short(value: unknown, valueName: Naming): string {
  if (Array.isArray(value)) {
    return value.length === 0 ? "–" : value.map((each) => short(each, valueName)).join(", ");
  }
  const text = typeof value === "object" && value !== null ? JSON.stringify(value) : valueName(String(value ?? ""));
  return text.length > 80 ? `${text.slice(0, 80)}…` : text || "–";
}
