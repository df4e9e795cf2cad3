import { styled } from "#web/ui/styled.ts";
import { Picker } from "emoji-picker-element";
import { useEffect, useRef } from "react";
import { matchesMedia } from "#web/lib/browser/hooks.ts";
import { useLanguage, type Language } from "#web/lib/text/i18n.ts";
import { color, media } from "#web/ui/tokens.ts";

/** Emoji names, one file per language, shipped with the app and fetched when the picker is first opened. */
const parts = {
  pt: {
    data: () => import("emoji-picker-element-data/pt/cldr/data.json?url"),
    words: () => import("emoji-picker-element/i18n/pt_BR.js"),
  },
  en: {
    data: () => import("emoji-picker-element-data/en/cldr/data.json?url"),
    words: () => import("emoji-picker-element/i18n/en.js"),
  },
  es: {
    data: () => import("emoji-picker-element-data/es/cldr/data.json?url"),
    words: () => import("emoji-picker-element/i18n/es.js"),
  },
} as const satisfies Record<Language, unknown>;

/** All emoji, with search and skin tones. A large chunk: import it lazily. */
export function EmojiPicker({ onChoose }: { readonly onChoose: (emoji: string) => void }) {
  const language = useLanguage();
  const place = useRef<HTMLDivElement>(null);
  const choose = useRef(onChoose);
  useEffect(() => {
    choose.current = onChoose;
  });

  useEffect(() => {
    let picker: Picker | undefined;
    let choosing: Promise<unknown> = Promise.resolve();
    const { data, words } = parts[language];
    let isShown = true;
    void Promise.all([data(), words()]).then(([source, i18n]) => {
      if (!isShown) {
        return;
      }
      picker = new Picker({ locale: language, dataSource: source.default, i18n: i18n.default });
      picker.addEventListener("emoji-click", ({ detail }) => detail.unicode && choose.current(detail.unicode));
      // The picker looks the emoji up before it tells which one it is.
      picker.addEventListener("emoji-click-sync", ({ detail }) => {
        choosing = detail;
      });
      place.current?.append(picker);
      focusSearch(picker);
    });
    return () => {
      isShown = false;
      if (picker) {
        leaveAfter(choosing, picker);
      }
    };
  }, [language]);

  return <Place ref={place} />;
}

/** Letters search, unless they would bring up the keyboard of a phone. The picker makes its field after it is in the page. */
function focusSearch(picker: Picker): void {
  if (!matchesMedia(media.coarse)) {
    requestAnimationFrame(() => picker.shadowRoot?.querySelector("input")?.focus({ preventScroll: true }));
  }
}

/** An emoji that was chosen just before the picker closes still counts: out of sight, the picker stays until it has told it. */
function leaveAfter(choosing: Promise<unknown>, picker: Picker): void {
  picker.hidden = true;
  document.body.append(picker);
  const leave = () => setTimeout(() => picker.remove());
  void choosing.then(leave, leave);
}

const Place = styled("div")({
  height: "100%",
  "& emoji-picker": {
    width: "100%",
    height: "100%",
    "--background": color.raised,
    "--border-size": "0",
    "--border-radius": "8px",
    "--button-hover-background": color.hover,
    "--button-active-background": color.accentSoft,
    "--category-font-color": color.ink2,
    "--category-font-size": "12px",
    "--emoji-size": "1.25rem",
    "--indicator-color": color.accent,
    "--input-border-color": color.lineStrong,
    "--input-border-radius": "8px",
    "--input-font-color": color.ink,
    "--input-font-size": "14px",
    "--input-placeholder-color": color.ink2,
    "--outline-color": color.accent,
    "--num-columns": "9",
  },
});
