/** Where is the browser, and how does it move without a reload? */
import { useMemo, useSyncExternalStore } from "react";

/** `state` is what `navigate` was given; it belongs to the entry of the history and survives a reload. */
export interface Location {
  readonly pathname: string;
  readonly search: string;
  readonly state: unknown;
}

export interface NavigateOptions {
  /** Replaces the entry of the history, so that Back does not return here. */
  readonly replace?: boolean;
  readonly state?: unknown;
}

const listeners = new Set<() => void>();
let current: Location | undefined;

/** Goes to another path of this app. */
export function navigate(to: string, { replace = false, state = null }: NavigateOptions = {}): void {
  history[replace ? "replaceState" : "pushState"](state, "", to);
  readAgain();
}

/** A path with its query; without parameters no bare "?", which would be another address. */
export function pathWithQuery(path: string, parameters: URLSearchParams | Record<string, string>): string {
  const query = new URLSearchParams(parameters).toString();
  return query === "" ? path : `${path}?${query}`;
}

/** The current place; renders again when it changes. */
export function useLocation(): Location {
  return useSyncExternalStore(subscribe, read);
}

/** What `select` says of the current place; renders again only when that changes. */
export function useFromLocation<T extends string | boolean>(select: (place: Location) => T): T {
  return useSyncExternalStore(subscribe, () => select(read()));
}

export type SetSearch = (parameters: URLSearchParams | Record<string, string>, options?: NavigateOptions) => void;

/** The query of the address, and the function that replaces it. */
export function useSearchParams(): readonly [URLSearchParams, SetSearch] {
  const { search } = useLocation();
  return [useMemo(() => new URLSearchParams(search), [search]), setSearch];
}

const setSearch: SetSearch = (parameters, options) => {
  navigate(pathWithQuery(location.pathname, parameters), options);
};

function read(): Location {
  current ??= { pathname: location.pathname, search: location.search, state: history.state as unknown };
  return current;
}

function readAgain(): void {
  current = undefined;
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    // the history moved while nobody listened
    current = undefined;
    window.addEventListener("popstate", readAgain);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      window.removeEventListener("popstate", readAgain);
    }
  };
}
