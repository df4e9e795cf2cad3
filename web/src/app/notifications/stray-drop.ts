/**
 * A file that is dropped where nothing takes it: the browser would open it instead of the page, with all that was typed or recorded
 * there. Call once for the whole window; returns the function that stops it.
 */
export function keepPageOnDrop(): () => void {
  window.addEventListener("dragover", refuse);
  window.addEventListener("drop", refuse);
  return () => {
    window.removeEventListener("dragover", refuse);
    window.removeEventListener("drop", refuse);
  };
}

function refuse(event: DragEvent): void {
  const { dataTransfer, target } = event;
  const isFilePicker = target instanceof HTMLInputElement && target.type === "file";
  if (dataTransfer?.types.includes("Files") && !event.defaultPrevented && !isFilePicker) {
    event.preventDefault();
    dataTransfer.dropEffect = "none";
  }
}
