/** Custom property with the height (px) that a phone's keyboard leaves, where the browser does not shrink the page itself. */
export const VISIBLE_HEIGHT = "--visible-height";

/**
 * Follows the visual viewport: Safari lays its keyboard over the page and scrolls that, so that a conversation's header
 * leaves the screen. Other browsers shrink the page (`interactive-widget=resizes-content`). Returns the function that stops it.
 */
export function followVisibleHeight(): () => void {
  const viewport = window.visualViewport;
  if (!viewport) {
    return () => undefined;
  }
  const follow = () => {
    const isCovered = viewport.scale === 1 && window.innerHeight - viewport.height > 1;
    const style = document.documentElement.style;
    if (isCovered) {
      style.setProperty(VISIBLE_HEIGHT, `${viewport.height}px`);
      window.scrollTo(0, 0);
    } else {
      style.removeProperty(VISIBLE_HEIGHT);
    }
  };
  viewport.addEventListener("resize", follow);
  return () => viewport.removeEventListener("resize", follow);
}
