import type { Message } from "@prosa/contract/messages";
import { lazy, Suspense } from "react";

const Lightbox = lazy(async () => ({ default: (await import("./Lightbox.tsx")).Lightbox }));
const EditHistory = lazy(async () => ({ default: (await import("./EditHistory.tsx")).EditHistory }));

/** What opens over a conversation: the picture enlarged, the earlier texts. Fetched when first opened. */
export function MessageDialogs(props: {
  readonly photo: Message | undefined;
  readonly onPhotoClose: () => void;
  readonly edited: Message | undefined;
  readonly onEditedClose: () => void;
}) {
  return (
    <Suspense>
      {props.photo && <Lightbox message={props.photo} onClose={props.onPhotoClose} />}
      {props.edited && <EditHistory message={props.edited} onClose={props.onEditedClose} />}
    </Suspense>
  );
}
