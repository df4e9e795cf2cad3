import { messageRules } from "@prosa/contract/messages";
import { useLayoutEffect, useRef, type ComponentProps, type RefObject } from "react";
import { styled } from "#web/ui/styled.ts";
import { color, media } from "#web/ui/theme.ts";
import { rowHeight, useAutoGrow } from "./useAutoGrow.ts";

/** The text of a reply or a note; grows to five rows. */
export function ComposerField({
  ref,
  ...props
}: Omit<ComponentProps<"textarea">, "ref" | "value"> & {
  readonly ref: RefObject<HTMLTextAreaElement | null>;
  readonly value: string;
}) {
  const own = useRef<HTMLTextAreaElement>(null);
  useAutoGrow(own, props.value);
  // a browser puts the cursor before a text that is there from the start: what is typed would go before the draft
  useLayoutEffect(() => {
    const end = own.current?.value.length ?? 0;
    own.current?.setSelectionRange(end, end);
  }, []);
  return (
    <Field
      {...props}
      ref={(element) => {
        own.current = element;
        ref.current = element;
      }}
      rows={1}
      dir="auto"
    />
  );
}

const Field = styled("textarea")({
  display: "block",
  width: "100%",
  padding: "8px 14px 4px",
  // five rows (specification 1, section 9)
  maxHeight: messageRules.maxRows * rowHeight + 12,
  border: 0,
  outline: 0,
  resize: "none",
  background: "none",
  fontSize: 14,
  lineHeight: `${rowHeight}px`,
  "&::placeholder": { color: color.ink2, opacity: 0.85 },
  // iOS zooms the page into fields with a font below 16 px
  [media.coarse]: { fontSize: 16 },
  [media.phone]: {
    flex: 1,
    width: "auto",
    minWidth: 0,
    padding: "12px 2px 11px",
    maxHeight: messageRules.maxRows * rowHeight + 23,
  },
});
