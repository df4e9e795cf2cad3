import { lazyOrNothing } from "#web/lib/browser/lazy-or-nothing.ts";

/** Most conversations have no album: its code is fetched with the first one. Needs a `Suspense` around it. */
export const LazyAlbumBubble = lazyOrNothing(async () => (await import("./AlbumBubble.tsx")).AlbumBubble);
