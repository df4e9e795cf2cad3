/** Which controls of a page cannot be seen or hit whole: clipped, outside of the window, under another one, too small (Z-04). */
import type { Page } from "@playwright/test";

/** What a finger needs in both directions, in px (WCAG 2.5.5). */
const FINGER = 44;

/** Faults of the controls that are on the page now, as wide as its window is; each with what it is called. */
export async function findCrampedControls(page: Page): Promise<string[]> {
  let faults = await measureControls(page);
  // A list or a popup takes some frames to find its place in a window of another width.
  for (let look = 0; faults.length > 0 && look < 30; look += 1) {
    await page.evaluate(() => new Promise(requestAnimationFrame));
    faults = await measureControls(page);
  }
  return faults;
}

function measureControls(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    /** Half pixels of a layout are no fault. */
    const slack = 1.5;
    const selector = [
      "button, a[href], input:not([type=hidden]), textarea, summary, [contenteditable=true]",
      "[role=button], [role=tab], [role=menuitem], [role=switch], [role=checkbox], [role=radio], [role=combobox]",
    ].join(", ");
    /** What is meant to be pushed sideways. */
    const sideways = "[role=tablist], [data-sideways]";
    /** What lies over the page covers what is below it. */
    const layers = "[role=dialog], [role=alertdialog], [role=menu], [role=listbox], [role=tooltip], [role=status]";

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
        const isWide = /auto|scroll/u.test(style.overflowX) && parent.scrollWidth > parent.clientWidth;
        const isOver = {
          x: box.left < frame.left - slack || box.right > frame.right + slack,
          y: box.top < frame.top - slack || box.bottom > frame.bottom + slack,
        };
        isCut ||=
          !scrolls.x && isOver.x && (/hidden|clip/u.test(style.overflowX) || (isWide && !parent.matches(sideways)));
        isCut ||= !scrolls.y && isOver.y && /hidden|clip/u.test(style.overflowY);
        scrolls.x ||= isWide && parent.matches(sideways);
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
      // the buttons of a row wait for the pointer, in their own column
      element.checkVisibility({
        opacityProperty: element.closest("[data-actions]") === null,
        visibilityProperty: true,
      }) &&
      element.closest("[inert], [aria-hidden=true]") === null &&
      getComputedStyle(element).pointerEvents !== "none";
    const canvas = document.createElement("canvas").getContext("2d")!;
    /** In px; an input's scrollWidth does not count its placeholder. */
    const placeholderWidth = (input: HTMLInputElement) => {
      const { fontWeight, fontSize, fontFamily } = getComputedStyle(input);
      canvas.font = `${fontWeight} ${fontSize} ${fontFamily}`;
      return canvas.measureText(input.placeholder).width;
    };
    const roomOf = ({ paddingLeft, paddingRight }: CSSStyleDeclaration, { clientWidth }: Element) =>
      clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    /** Only for screen readers, or the skip link before it has the focus. */
    const isTiny = ({ width, height }: DOMRect) => width < 4 || height < 4;

    const faults: string[] = [];
    const boxes: {
      readonly element: Element;
      readonly layer: Element | null;
      readonly box: { left: number; right: number; top: number; bottom: number };
    }[] = [];
    for (const element of document.querySelectorAll<HTMLElement>(selector)) {
      const whole = element.getBoundingClientRect();
      if (!isShown(element) || isTiny(whole) || whole.bottom < 0) {
        continue;
      }
      const { isCut, ...box } = throughAncestors(element);
      const isSeen = box.right - box.left > slack && box.bottom - box.top > slack;
      if (isCut) {
        faults.push(`${nameOf(element)} is clipped`);
      }
      const style = getComputedStyle(element);
      const isText = element.matches("button, a[href], [role=tab], [role=menuitem]");
      const hidesText = element.scrollWidth > element.clientWidth + slack && style.overflowX !== "visible";
      if (isText && hidesText && style.textOverflow !== "ellipsis") {
        faults.push(`${nameOf(element)} hides a part of its words`);
      }
      const isSearch = element instanceof HTMLInputElement && element.type === "search";
      if (isSearch && placeholderWidth(element) > roomOf(style, element) + slack) {
        faults.push(`${nameOf(element)} hides a part of its placeholder`);
      }
      const isOutside = whole.left < -slack || box.right > window.innerWidth + slack;
      if (isSeen && isOutside) {
        faults.push(`${nameOf(element)} is outside of the window`);
      }
      if (isSeen && box.top < window.innerHeight) {
        boxes.push({ element, box, layer: element.closest(layers) });
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
        if (width > slack && height > slack && one.layer === other.layer && !isRelated && !isInside) {
          faults.push(`${nameOf(one.element)} and ${nameOf(other.element)} overlap`);
        }
      }
    });
    return [...new Set(faults)];
  });
}

/** Controls that a finger would miss: less than 44 px wide or high; links in the middle of a sentence may be smaller. */
export async function findSmallTargets(page: Page): Promise<string[]> {
  return page.evaluate((wanted) => {
    const selector = [
      "button, a[href], summary, input:is([type=checkbox], [type=radio])",
      "[role=button], [role=tab], [role=menuitem], [role=option], [role=switch]",
    ].join(", ");
    const found = [...document.querySelectorAll<HTMLElement>(selector)].flatMap((element) => {
      const style = getComputedStyle(element);
      const isShown =
        element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
        element.closest("[inert], [aria-hidden=true]") === null &&
        style.pointerEvents !== "none";
      const own = element.getBoundingClientRect();
      if (!isShown || own.width < 4 || own.height < 4 || style.display === "inline") {
        return [];
      }
      // What a label around it, or an area of its own beyond it, adds.
      const label = (element as HTMLInputElement).labels?.[0]?.getBoundingClientRect();
      const areas = ["::before", "::after"]
        .map((pseudo) => getComputedStyle(element, pseudo))
        .filter(({ content, position }) => content !== "none" && position === "absolute");
      const width = Math.max(own.width, label?.width ?? 0, ...areas.map((area) => Number.parseFloat(area.width)));
      const height = Math.max(own.height, label?.height ?? 0, ...areas.map((area) => Number.parseFloat(area.height)));
      const name = (element.ariaLabel ?? element.innerText ?? "").trim().replaceAll(/\s+/g, " ").slice(0, 40);
      return Math.min(width, height) < wanted - 0.5
        ? [`${element.tagName.toLowerCase()} "${name}" is ${Math.round(width)} by ${Math.round(height)}`]
        : [];
    });
    return [...new Set(found)];
  }, FINGER);
}
