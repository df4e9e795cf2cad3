import { lazy } from "react";

/** Most conversations have no album: its code is fetched with the first one. Needs a `Suspense` around it. */
export const LazyAlbumBubble = lazy(async () => ({ default: (await import("./AlbumBubble.tsx")).AlbumBubble }));
