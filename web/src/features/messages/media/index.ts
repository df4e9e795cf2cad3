export { LazyLightbox } from "./LazyLightbox.ts";
export { MediaContent, type MediaContentProps } from "./MediaContent.tsx";
