import { expect, test } from "vitest";
import { stripFormattingOfPieces, stripFormatting } from "./plain-text.ts";

test.each([
  ["Restam *3 unidades* por _hoje_", "Restam 3 unidades por hoje"],
  ["*Danilo Matos*:\nSeguem as fotos", "Danilo Matos:\nSeguem as fotos"],
  ["*_agora_* ~não~ `isto`", "agora não isto"],
  ["*[ 1 ]* - Vendas", "[ 1 ] - Vendas"],
  ["joao_da_silva@exemplo.com", "joao_da_silva@exemplo.com"],
  ["https://loja.exemplo/_a_/b_c", "https://loja.exemplo/_a_/b_c"],
  ["2*3*4 = 24", "2*3*4 = 24"],
  ["a * b * c", "a * b * c"],
])("a hint of %j reads %j (M-03, T-04)", (text, plain) => {
  expect(stripFormatting(text)).toBe(plain);
});

test.each([
  [
    ["*Danilo*: chegou o ", "boleto", " de *hoje*"],
    ["Danilo: chegou o ", "boleto", " de hoje"],
  ],
  [
    ["pague o *", "boleto", "* já"],
    ["pague o ", "boleto", " já"],
  ],
  [
    ["", "bol", "eto_novo_2 *e mais"],
    ["", "bol", "eto_novo_2 *e mais"],
  ],
  [
    ["…* a _", "🌻 flor", "_ 2*3*4"],
    ["…* a ", "🌻 flor", " 2*3*4"],
  ],
  [
    ["…te*. Pode tentar no ", "Pix", "? Senão *passo outro…"],
    ["…te. Pode tentar no ", "Pix", "? Senão passo outro…"],
  ],
  [
    ["…2*3 é ", "seis", " *ou não"],
    ["…2*3 é ", "seis", " *ou não"],
  ],
])("the pieces %j of what a search found read %j (M-03, T-03)", (pieces, plain) => {
  expect(stripFormattingOfPieces(pieces)).toEqual(plain);
});
