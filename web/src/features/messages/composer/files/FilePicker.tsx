import type { Ref } from "react";

/** The browser's file dialog: click it. */
export function FilePicker(props: {
  readonly ref: Ref<HTMLInputElement>;
  readonly onFiles: (files: readonly File[]) => void;
}) {
  return (
    <input
      ref={props.ref}
      type="file"
      multiple
      hidden
      data-testid="attach-input"
      onChange={(event) => {
        props.onFiles([...(event.target.files ?? [])]);
        // so that the same file can be chosen again
        event.target.value = "";
      }}
    />
  );
}
