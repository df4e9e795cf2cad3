import type { Message } from "@prosa/contract/messages";
import { LazyLightbox } from "../media/index.ts";
import { lateDialog } from "#web/ui/dialogs/lateDialog.tsx";

const EditHistory = lateDialog(async () => (await import("./EditHistory.tsx")).EditHistory);

/** The dialogs over a conversation: lightbox and edit history. Their code is loaded when they first open. */
export function MessageDialogs(props: {
  readonly photo: Message | undefined;
  readonly onPhotoClose: () => void;
  readonly edited: Message | undefined;
  readonly onEditedClose: () => void;
}) {
  return (
    <>
      {props.photo && <LazyLightbox message={props.photo} onClose={props.onPhotoClose} />}
      {props.edited && <EditHistory message={props.edited} onClose={props.onEditedClose} />}
    </>
  );
}
