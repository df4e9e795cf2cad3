import { hasError, parsePix } from "pix-utils";
import { expect, test } from "vitest";
import { brCodeOf } from "./br-code.ts";

/** Another library reads what ours has written; it checks the CRC. */
function read(text: string) {
  const pix = parsePix(text);
  if (hasError(pix) || pix.type !== "STATIC") {
    throw new Error("no static BR Code");
  }
  return pix;
}

test.each([
  ["plain", { name: "Padaria Sol", city: "Recife" }, { name: "Padaria Sol", city: "Recife" }],
  ["accents", { name: "José Ângelo Ação", city: "São Paulo" }, { name: "Jose Angelo Acao", city: "Sao Paulo" }],
  [
    "too long",
    { name: "Associação Brasileira de Confeiteiros", city: "Vila Bela da Santíssima Trindade" },
    { name: "Associacao Brasileira de", city: "Vila Bela da Sa" },
  ],
  [
    "odd letters",
    { name: "Café ☕ & Cia™", city: "Sant'Ana do  Livramento" },
    { name: "Cafe & Cia", city: "Sant'Ana do Liv" },
  ],
  ["nothing left", { name: "☕", city: "" }, { name: "RECEBEDOR", city: "BRASIL" }],
])("the static BR Code is read by another library, %s (F-03)", (_, given, shown) => {
  const key = "123e4567-e12b-12d1-a456-426655440000";
  const text = brCodeOf({ key, ...given, value: 97, txid: "FATURA-12" });
  expect(read(text)).toMatchObject({
    pixKey: key,
    merchantName: shown.name,
    merchantCity: shown.city,
    transactionAmount: 97,
    transactionCurrency: "986",
    merchantCategoryCode: "0000",
    countryCode: "BR",
    txid: "FATURA12",
  });
  expect(text).toMatch(/^[\x20-\x7e]+6304[0-9A-F]{4}$/);
  expect(() => read(text.slice(0, -1) + (text.endsWith("0") ? "1" : "0"))).toThrow("no static BR Code");
});

test("the CRC is that of the manual's own example (F-03)", () => {
  const example =
    "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D";
  expect(read(example).merchantName).toBe("Fulano de Tal");
  const ours = brCodeOf({
    key: "123e4567-e12b-12d1-a456-426655440000",
    name: "Fulano de Tal",
    city: "BRASILIA",
    value: 1,
    txid: "***",
  });
  // The example has no amount; every other field is the same.
  expect(ours.replace("54041.00", "").slice(0, -4)).toBe(example.slice(0, -4));
});

test("a key that no Pix has is refused (F-03)", () => {
  const rest = { name: "a", city: "b", value: 1, txid: "c" };
  expect(() => brCodeOf({ key: " ", ...rest })).toThrow(RangeError);
  expect(() => brCodeOf({ key: "k".repeat(78), ...rest })).toThrow(RangeError);
});
