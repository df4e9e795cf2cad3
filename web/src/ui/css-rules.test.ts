import { expect, test } from "vitest";
import { cssRules } from "./css-rules.ts";

test("numbers are px, except where CSS has none", () => {
  expect(cssRules(".a", { width: 10, margin: 0, flex: 1, zIndex: 2, lineHeight: 1.4, "--gap": 3 })).toBe(
    ".a{width:10px;margin:0;flex:1;z-index:2;line-height:1.4;--gap:3;}",
  );
});

test("names are written as CSS writes them, with the prefix that Safari needs", () => {
  expect(cssRules(".a", { WebkitLineClamp: 2, userSelect: "none" })).toBe(
    ".a{-webkit-line-clamp:2;-webkit-user-select:none;user-select:none;}",
  );
});

test("what is cut is cut at its own end: of an Arabic name at the left (M-03)", () => {
  expect(cssRules(".a", { textOverflow: "ellipsis" })).toBe(".a{text-overflow:ellipsis;unicode-bidi:plaintext;}");
});

test("nested selectors are written out, also in media queries and below lists of selectors", () => {
  expect(
    cssRules(".a", {
      "&:hover, &:focus": { color: "red", "& svg": { color: "blue" } },
      "li:hover > &": { top: 1 },
      "@media (pointer: coarse)": { minHeight: 44, "& b": { left: 2 } },
      gap: 4,
    }),
  ).toBe(
    ".a{gap:4px;}" +
      ".a:hover, .a:focus{color:red;}:is(.a:hover, .a:focus) svg{color:blue;}" +
      "li:hover > .a{top:1px;}" +
      "@media (pointer: coarse){.a{min-height:44px;}.a b{left:2px;}}",
  );
});

test("a rule of its own has no parent", () => {
  expect(cssRules("", { "@keyframes turn": { to: { top: 1 } }, "h1, h2": { margin: 0 } })).toBe(
    "@keyframes turn{to{top:1px;}}h1, h2{margin:0;}",
  );
});

test("a font face has declarations without a selector", () => {
  expect(cssRules("", { "@font-face": { fontFamily: "Emoji", unicodeRange: "U+231A" } })).toBe(
    "@font-face{font-family:Emoji;unicode-range:U+231A;}",
  );
});

test("what is undefined is left out", () => {
  expect(cssRules(".a", { color: undefined })).toBe("");
});
