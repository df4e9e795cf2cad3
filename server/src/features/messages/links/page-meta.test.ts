import { expect, test } from "vitest";
import { readPageMeta } from "./page-meta.ts";

const read = (html: string, type = "text/html; charset=utf-8") => readPageMeta(Buffer.from(html), type);

test("Open Graph comes before the page's own title, whatever the quotes and the order", () => {
  const html = `<html><head><title>Página</title>
    <META content='Tênis azul &amp; branco' property="og:title"><meta name=description content="Leve &#38; macio&hellip;">
    <meta property="og:image" content="/foto.jpg?a=1&amp;b=2"></head>`;
  expect(read(html)).toEqual({
    title: "Tênis azul & branco",
    description: "Leve & macio…",
    picture: "/foto.jpg?a=1&b=2",
  });
});

test("a title alone is a preview, no title is none", () => {
  expect(read("<title>\n  Loja\n Aurora </title>")).toEqual({
    title: "Loja Aurora",
    description: "",
    picture: undefined,
  });
  expect(read("<p>sem título</p>")).toBeUndefined();
  expect(read('<meta property="og:title" content="   ">')).toBeUndefined();
});

test("markup in a title stays text, and marks of direction go", () => {
  expect(read("<title>&lt;script&gt;alert(1)&lt;/script&gt; \u202Egnp.exe</title>")?.title).toBe(
    "<script>alert(1)</script> gnp.exe",
  );
});

test("other charsets are read, unknown ones too", () => {
  const latin = Buffer.from("<meta charset=iso-8859-1><title>Promoção</title>", "latin1");
  expect(readPageMeta(latin, "text/html")?.title).toBe("Promoção");
  expect(readPageMeta(Buffer.from("<title>Ok</title>"), "text/html; charset=x-nobody")?.title).toBe("Ok");
});

test("long texts end with an ellipsis, and a hostile page is read in linear time", () => {
  expect(read(`<title>${"á".repeat(500)}</title>`)?.title).toHaveLength(200);
  const started = performance.now();
  read(`<title>x</title>${'<meta "'.repeat(150_000)}`);
  read(`<title>x</title>${"<meta ".repeat(160_000)}`);
  read(`<title>x</title>${`<meta ${"a".repeat(3_990)}>`.repeat(2_000)}`);
  expect(performance.now() - started).toBeLessThan(5_000);
});
