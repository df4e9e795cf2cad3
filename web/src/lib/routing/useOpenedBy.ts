import { useEffect, useState } from "react";
import { navigate, useSearchParams } from "./location.ts";

/**
 * State of a dialog that a link may open: `/users?open=invite`. The word leaves the address at once, so that a reload or a
 * way back does not open it again.
 */
export function useOpenedBy(word: string): readonly [boolean, (isOpen: boolean) => void] {
  const [search] = useSearchParams();
  const isAsked = search.get("open") === word;
  const [isOpen, setOpen] = useState(isAsked);
  useEffect(() => {
    if (isAsked) {
      setOpen(true);
      navigate(location.pathname, { replace: true });
    }
  }, [isAsked]);
  return [isOpen, setOpen];
}
