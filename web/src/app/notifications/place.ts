import { useEffect, useState } from "react";

/** A place above the screen, which the shell does not know of, so that its first load has no byte of it. */
export function usePlace(isShown: boolean): HTMLElement | undefined {
  const [place, setPlace] = useState<HTMLElement>();
  useEffect(() => {
    if (!isShown) {
      return undefined;
    }
    const made = document.createElement("div");
    document.querySelector("#content")?.before(made);
    setPlace(made);
    return () => {
      made.remove();
      setPlace(undefined);
    };
  }, [isShown]);
  return place;
}
