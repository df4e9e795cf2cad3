/**
 * The router: which element belongs to the address, and the links between addresses. We need paths with one parameter, so a
 * hundred lines stand in for a library of 15 kB (decision 0163).
 */
import { createContext, use, useEffect, useMemo, type ComponentProps, type MouseEvent, type ReactNode } from "react";
import { navigate, useFromLocation, useLocation } from "./location.ts";
import { isAtOrBelow, matchPath, type Params } from "./match-path.ts";

export interface Route {
  /** `/tickets/:uuid?`, or `*` for all that no route before it fits. */
  readonly path: string;
  readonly element: ReactNode;
}

const ParamsContext = createContext<Params>({});

/** Draws the first route that fits the address; the parameters of its path come from `useParams`. */
export function Routes({ routes }: { readonly routes: readonly Route[] }) {
  const { pathname } = useLocation();
  const found = useMemo(() => firstMatch(routes, pathname), [routes, pathname]);
  return (
    found && (
      <ParamsContext key={found.route.path} value={found.params}>
        {found.route.element}
      </ParamsContext>
    )
  );
}

function firstMatch(routes: readonly Route[], pathname: string) {
  for (const route of routes) {
    const params = matchPath(route.path, pathname);
    if (params) {
      return { route, params };
    }
  }
  return undefined;
}

/** The parameters of the path of the route that is drawn. */
export function useParams(): Params {
  return use(ParamsContext);
}

/** Goes elsewhere instead of drawing something. */
export function Redirect({ to }: { readonly to: string }) {
  useEffect(() => navigate(to, { replace: true }), [to]);
  return null;
}

export interface LinkProps extends Omit<ComponentProps<"a">, "href"> {
  readonly to: string;
}

let mayFollow: (() => Promise<boolean>) | undefined;
let isLeaving = false;

/** Has links ask this before they are followed, until it is called without a question. The leave guard does, so that it comes with forms. */
export function guardLinks(question: (() => Promise<boolean>) | undefined): void {
  mayFollow = question;
}

/** Is there a question to ask before the page is left? */
export function isGuarded(): boolean {
  return mayFollow !== undefined && !isLeaving;
}

/** Is the page left of necessity (`leaveAtOnce`)? Then nothing that listens to `beforeunload` holds it up. */
export function isLeavingAtOnce(): boolean {
  return isLeaving;
}

/** Does what closes the forms of the page, as a reload or a sign-out, once who typed in one says that it may be lost. */
export function whenMayLeave(leave: () => void): void {
  if (mayFollow) {
    void mayFollow().then((may) => may && leave());
  } else {
    leave();
  }
}

/** Loads the page again and asks for no form: the answer has been given. */
export function reloadPage(): void {
  guardLinks(undefined);
  location.reload();
}

/** Leaves the page, by a reload unless told how, and asks nothing: its session is over or another one's, and nothing could be saved. */
export function leaveAtOnce(leave = () => location.reload()): void {
  isLeaving = true;
  leave();
}

/** A link inside the app, which asks before what is typed would be lost; with a modifier key or another button the browser does what it does with links. */
export function Link({ to, onClick, children, ...rest }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const isPlain = event.button === 0 && !(event.metaKey || event.altKey || event.ctrlKey || event.shiftKey);
    if (isPlain && !event.defaultPrevented && rest.target === undefined) {
      event.preventDefault();
      whenMayLeave(() => navigate(to, { replace: to === location.pathname + location.search }));
    }
  };
  return (
    <a {...rest} href={to} onClick={follow}>
      {children}
    </a>
  );
}

/** A link of a menu, marked while its screen or one below it is shown; with `end` only at its own path. */
export function NavLink({ end = false, className, ...link }: LinkProps & { readonly end?: boolean }) {
  const isHere = useFromLocation(({ pathname }) => (end ? pathname === link.to : isAtOrBelow(link.to, pathname)));
  return (
    <Link
      {...link}
      className={isHere ? `${className ?? ""} active` : className}
      aria-current={isHere ? "page" : undefined}
    />
  );
}
