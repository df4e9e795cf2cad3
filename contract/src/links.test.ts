import { expect, test } from "vitest";
import { firstLink } from "./links.ts";

test.each([
  ["Veja (https://loja.com.br/azul?x=1). Gostou?", "https://loja.com.br/azul?x=1", "https://loja.com.br/azul?x=1"],
  ["www.loja.com.br, e http://outra.com", "www.loja.com.br", "https://www.loja.com.br"],
  ["*https://loja.com.br/a_b*", "https://loja.com.br/a_b", "https://loja.com.br/a_b"],
])("the first address of %j is %s", (text, address, url) => {
  expect(firstLink(text)).toEqual({ address, url });
});

test.each([
  "sem endereço",
  "http://",
  "javascript:alert(1)",
  "ftp://loja.com",
  "http://localhost/x",
  "https://a.com@b.com/",
])("%j has none", (text) => {
  expect(firstLink(text)).toBeUndefined();
});
