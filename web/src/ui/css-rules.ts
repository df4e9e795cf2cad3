/** What is the CSS of a style object? Pure, so that it is tested without a browser. */
import type { CSSProperties } from "react";

/** CSS as an object: properties in camel case, numbers in px, and rules nested by a selector with `&` or by an at-rule. */
export interface Style extends CSSProperties {
  readonly [variableOrNested: string]: Style | string | number | undefined;
}

/** Properties whose numbers have no unit. */
const unitless = new Set([
  "animationIterationCount",
  "aspectRatio",
  "columnCount",
  "fillOpacity",
  "flex",
  "flexGrow",
  "flexShrink",
  "fontWeight",
  "gridColumn",
  "gridRow",
  "lineHeight",
  "opacity",
  "order",
  "scale",
  "strokeOpacity",
  "strokeWidth",
  "tabSize",
  "WebkitLineClamp",
  "zIndex",
  "zoom",
]);

/** The rules of one selector and of all that is nested in it, written out: older browsers know no nesting. */
export function cssRules(selector: string, style: Style): string {
  let own = "";
  let nested = "";
  for (const [key, value] of Object.entries(style)) {
    if (typeof value === "object") {
      nested += key.startsWith("@")
        ? `${key}{${cssRules(selector, value)}}`
        : cssRules(key.replaceAll("&", parent(selector)), value);
    } else if (value !== undefined) {
      own += declaration(key, value);
    }
  }
  // at-rules of declarations alone, as @font-face, have no selector
  return (own && (selector === "" ? own : `${selector}{${own}}`)) + nested;
}

/** A list of selectors stays one thing where it is nested in: `:is(a, b) svg`. */
function parent(selector: string): string {
  return selector.includes(",") ? `:is(${selector})` : selector;
}

function declaration(property: string, value: string | number): string {
  const text =
    typeof value === "number" && value !== 0 && !unitless.has(property) && !property.startsWith("--")
      ? `${value}px`
      : value;
  const name = property.startsWith("--")
    ? property
    : property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const css = `${name}:${text};`;
  switch (name) {
    // Safari has it under its prefix only.
    case "user-select":
      return `-webkit-${css}${css}`;
    // An Arabic name that does not fit would lose its beginning, and have the dots there (M-03).
    case "text-overflow":
      return `${css}unicode-bidi:plaintext;`;
    default:
      return css;
  }
}
