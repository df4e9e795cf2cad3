/** JSON that carries bytes: `{"$b": base64}`. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, key, plain: unknown) {
    const original = this[key]; // Buffer has a toJSON that would otherwise win
    return original instanceof Uint8Array ? { $b: Buffer.from(original).toString("base64") } : plain;
  });
}

export function fromJson(text: string): unknown {
  return text.includes('"$b"') ? JSON.parse(text, revive) : JSON.parse(text);
}

function revive(_key: string, value: unknown): unknown {
  if (typeof value === "object" && value !== null && "$b" in value && typeof value.$b === "string") {
    return Buffer.from(value.$b, "base64");
  }
  return value;
}
