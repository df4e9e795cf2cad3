/**
 * `styled("div")({ … })`: an element with a class of its own.
 *
 * Our styles are constant (colours are CSS variables, variants are attributes), so each becomes CSS once, when its module is
 * loaded, and rendering only adds a class name. Emotion, which this replaces, serialised every style at every render.
 */
import type { ComponentProps, ElementType, ReactElement } from "react";
import { jsx } from "react/jsx-runtime";
import { cssRules, type Style } from "./css-rules.ts";

export type Styled<T extends ElementType> = (props: ComponentProps<T> & { readonly as?: ElementType }) => ReactElement;

/** Rules of modules that were loaded since the last render, in the order of their definition: later ones win. */
let pending = "";
let count = 0;

/** A component that draws `tag` in this style; a class name that it is given is kept beside its own. */
export function styled<T extends ElementType>(tag: T): (style: Style) => Styled<T> {
  return (style) => {
    const name = `p${(count++).toString(36)}`;
    pending += cssRules(`.${name}`, style);

    return (props: { readonly as?: ElementType; readonly className?: string }) => {
      adopt();
      const { as = tag, ...rest } = props;
      return jsx(as, { ...rest, className: props.className ? `${name} ${props.className}` : name });
    };
  };
}

/** Rules for the whole page, with selectors as keys. */
export function addGlobalStyle(style: Readonly<Record<string, Style>>): void {
  pending += cssRules("", style);
}

/** One style sheet for all that was loaded together: no element is inserted, and no policy for inline styles is needed. */
function adopt(): void {
  if (pending) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(pending);
    pending = "";
    document.adoptedStyleSheets.push(sheet);
  }
}
