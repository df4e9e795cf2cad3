/** Which controls of a page cannot be seen or hit whole: clipped, outside of the window, or under another one (Z-04). */
import type { Page } from "@playwright/test";

/** Faults of the controls that are on the page now, as wide as its window is; each with what it is called. */
export async function findCrampedControls(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    /** Half pixels of a layout are no fault. */
    const slack = 1.5;
    const selector = [
      "button, a[href], input:not([type=hidden]), textarea, summary, [contenteditable=true]",
      "[role=button], [role=tab], [role=menuitem], [role=switch], [role=checkbox], [role=radio], [role=combobox]",
    ].join(", ");

    const nameOf = (element: Element) => {
      const text = element.ariaLabel ?? (element as HTMLElement).innerText ?? "";
      return `${element.tagName.toLowerCase()} "${text.trim().replaceAll(/\s+/g, " ").slice(0, 40)}"`;
    };
    /** The part of a box that its ancestors let through, and whether one of them cuts it off for good. */
    const throughAncestors = (element: Element) => {
      const box = element.getBoundingClientRect();
      let { left, right, top, bottom } = box;
      let isCut = false;
      // What a scroller brings into sight is not cut by what is around it.
      const scrolls = { x: false, y: false };
      for (let parent = element.parentElement; parent !== null; parent = parent.parentElement) {
        const style = getComputedStyle(parent);
        const frame = parent.getBoundingClientRect();
        const isCutBy = {
          x:
            !scrolls.x &&
            /hidden|clip/u.test(style.overflowX) &&
            (box.left < frame.left - slack || box.right > frame.right + slack),
          y:
            !scrolls.y &&
            /hidden|clip/u.test(style.overflowY) &&
            (box.top < frame.top - slack || box.bottom > frame.bottom + slack),
        };
        isCut ||= isCutBy.x || isCutBy.y;
        scrolls.x ||= /auto|scroll/u.test(style.overflowX) && parent.scrollWidth > parent.clientWidth;
        scrolls.y ||= /auto|scroll/u.test(style.overflowY) && parent.scrollHeight > parent.clientHeight;
        if (style.overflowX !== "visible") {
          left = Math.max(left, frame.left);
          right = Math.min(right, frame.right);
        }
        if (style.overflowY !== "visible") {
          top = Math.max(top, frame.top);
          bottom = Math.min(bottom, frame.bottom);
        }
        if (style.position === "fixed") {
          break;
        }
      }
      return { left, right, top, bottom, isCut };
    };
    const isShown = (element: Element) =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      element.closest("[inert], [aria-hidden=true]") === null &&
      getComputedStyle(element).pointerEvents !== "none";
    /** Only for screen readers, or the skip link before it has the focus. */
    const isTiny = ({ width, height }: DOMRect) => width < 4 || height < 4;

    const faults: string[] = [];
    const boxes: {
      readonly element: Element;
      readonly box: { left: number; right: number; top: number; bottom: number };
    }[] = [];
    for (const element of document.querySelectorAll<HTMLElement>(selector)) {
      const whole = element.getBoundingClientRect();
      if (!isShown(element) || isTiny(whole) || whole.bottom < 0) {
        continue;
      }
      const { isCut, ...box } = throughAncestors(element);
      const isSeen = box.right - box.left > slack && box.bottom - box.top > slack;
      if (isCut && (isSeen || whole.left > window.innerWidth || whole.right < 0)) {
        faults.push(`${nameOf(element)} is clipped`);
      }
      const style = getComputedStyle(element);
      const isText = element.matches("button, a[href], [role=tab], [role=menuitem]");
      const hidesText = element.scrollWidth > element.clientWidth + slack && style.overflowX !== "visible";
      if (isText && hidesText && style.textOverflow !== "ellipsis") {
        faults.push(`${nameOf(element)} hides a part of its words`);
      }
      if (
        isSeen &&
        (whole.left < -slack || whole.right > window.innerWidth + slack) &&
        box.right > window.innerWidth + slack
      ) {
        faults.push(`${nameOf(element)} is outside of the window`);
      }
      if (isSeen && box.top < window.innerHeight) {
        boxes.push({ element, box });
      }
    }

    const contains = (outer: (typeof boxes)[number]["box"], inner: (typeof boxes)[number]["box"]) =>
      outer.left <= inner.left + slack &&
      outer.right >= inner.right - slack &&
      outer.top <= inner.top + slack &&
      outer.bottom >= inner.bottom - slack;
    boxes.forEach((one, index) => {
      for (const other of boxes.slice(index + 1)) {
        const width = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
        const height = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
        const isRelated = one.element.contains(other.element) || other.element.contains(one.element);
        // A button inside of a row that opens by a click, or a field's own button.
        const isInside = contains(one.box, other.box) || contains(other.box, one.box);
        if (width > slack && height > slack && !isRelated && !isInside) {
          faults.push(`${nameOf(one.element)} and ${nameOf(other.element)} overlap`);
        }
      }
    });
    return [...new Set(faults)];
  });
}
