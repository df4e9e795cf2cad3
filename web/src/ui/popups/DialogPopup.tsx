import { Confirms } from "./Confirms.tsx";
import { DialogFrame, type DialogProps } from "./DialogFrame.tsx";

/** A dialog, and the question that is asked while it is the topmost. */
export function DialogPopup({ children, ...rest }: DialogProps) {
  return (
    <DialogFrame {...rest}>
      {children}
      <Confirms />
    </DialogFrame>
  );
}
