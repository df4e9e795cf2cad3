import type { Tag } from "@prosa/contract/tags";
import { useEffect, useRef, type ComponentProps } from "react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { LabelPicker } from "#web/ui/fields/LabelPicker.tsx";
import { styled } from "#web/ui/styled.ts";
import { tagMessages } from "./tags.i18n.ts";
import { useTicketTags } from "./useTicketTags.ts";

/** The picker of a ticket's tags, opened by a key: it is open while mounted, and one choice closes it. */
export function TagPicker(props: {
  readonly ticketId: number;
  readonly tags: readonly Tag[];
  readonly onChanged: (tags: readonly Tag[]) => void;
  readonly onClose: () => void;
}) {
  const { tags, onClose } = props;
  const t = useMessages(tagMessages);
  const { all, toggle, create } = useTicketTags(props);
  const then =
    <A extends readonly unknown[]>(run: (...values: A) => void) =>
    (...values: A) => {
      run(...values);
      onClose();
    };
  return (
    <LabelPicker
      label={t("title")}
      labels={all}
      chosen={tags.map(({ id }) => id)}
      onToggle={then(toggle)}
      onCreate={then(create)}
      minLength={3}
      opener={(opener) => <Anchor {...opener} onClose={onClose} />}
    />
  );
}

/** Stands where the picker opens, and opens it. */
function Anchor({ onClose, ...opener }: ComponentProps<"button"> & { readonly onClose: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  const isOpen = opener["aria-expanded"] === true;
  useEffect(() => button.current?.click(), []);
  useEffect(() => {
    if (wasOpen.current && !isOpen) {
      onClose();
    }
    wasOpen.current = isOpen;
  }, [isOpen, onClose]);
  return <Point ref={button} type="button" tabIndex={-1} aria-hidden {...opener} />;
}

const Point = styled("button")({
  position: "absolute",
  top: 52,
  left: 16,
  width: 1,
  height: 1,
  padding: 0,
  border: 0,
  opacity: 0,
});
