import { lateDialog } from "#web/ui/dialogs/lateDialog.tsx";

/** Fetched when the first picture is enlarged. */
export const LazyLightbox = lateDialog(async () => (await import("./Lightbox.tsx")).Lightbox);
