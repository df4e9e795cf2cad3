/**
 * `styled("div")({ … })`: an element with a class of its own.
 *
 * Our styles are constant (colours are CSS variables, variants are attributes), so each becomes CSS once, when its module is
 * loaded, and rendering only adds a class name. Emotion, which this replaces, serialised every style at every render.
 */
import type { ComponentProps, ElementType, Key, ReactElement } from "react";
import { jsx as reactJsx } from "react/jsx-runtime";
import { cssRules, type Style } from "./css-rules.ts";

/** What a styled component draws. */
interface Host {
  readonly tag: ElementType;
  readonly name: string;
}

type HostProps = Readonly<Record<string, unknown>> & { readonly as?: ElementType; readonly className?: string };

export type Styled<T extends ElementType> = ((
  props: ComponentProps<T> & { readonly as?: ElementType },
) => ReactElement) & { readonly host: Host };

/** Rules of modules that were loaded since the last render, in the order of their definition: later ones win. */
let pending = "";
let count = 0;

/** A component that draws `tag` in this style; a class name that it is given is kept beside its own. */
export function styled<T extends ElementType>(tag: T): (style: Style) => Styled<T> {
  return (style) => {
    const name = `p${(count++).toString(36)}`;
    pending += cssRules(`.${name}`, style);

    // for who makes elements without our JSX
    const component = (props: HostProps) => jsx(component, { ...props });
    component.host = { tag, name };
    return component as unknown as Styled<T>;
  };
}

/**
 * React's own, except that a styled component becomes its element at once: as a component it would be rendered and compared
 * beside its element at every render, and every third component of a screen is one (decision 0195).
 */
export function jsx(type: ElementType, props: HostProps, key?: Key): ReactElement {
  const host = hostOf(type);
  return host ? reactJsx(props.as ?? host.tag, propsOf(host, props), key) : reactJsx(type, props, key);
}

/** The element of a styled component; undefined for any other type. */
export function hostOf(type: ElementType & { readonly host?: Host }): Host | undefined {
  return type.host;
}

export function propsOf({ name }: Host, { as: _, className, ...props }: HostProps): HostProps {
  adopt();
  return { ...props, className: className ? `${name} ${className}` : name };
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
