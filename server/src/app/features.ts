import type { Feature } from "#server/platform/feature.ts";

/** Every feature, from low to high (docs/architecture.md). This is the only list. */
export const features: readonly Feature[] = [];
