import { lazy } from "react";

/** Fetched when the first picture is enlarged. Needs a `Suspense` around it. */
export const LazyLightbox = lazy(async () => ({ default: (await import("./Lightbox.tsx")).Lightbox }));
