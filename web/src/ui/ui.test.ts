import { createFormControl } from "react-hook-form";
import { expect, onTestFinished, test, vi } from "vitest";
import { ApiError } from "#web/lib/api/apiError.ts";
import { avatarTints, initialsOf, tintOf } from "./Avatar.tsx";
import { TINT_PERCENT } from "./Chip.tsx";
import { contrast, parseHex, readableOn } from "./contrast.ts";
import { contractResolver, serverFieldErrors, type LoadSchema } from "./fields/formRules.ts";
import { keysText } from "./Keys.tsx";
import { authorPalettes, palettes, type ColorName } from "./tokens.ts";

/** Text colours and their backgrounds. `ink3` is for marks only, never for text that must be read. */
const texts: Partial<Record<ColorName, readonly ColorName[]>> = {
  ink: ["background", "panel", "raised", "hover", "accentSoft", "own", "note", "chip", "dangerSoft"],
  ink2: ["background", "panel", "raised", "hover", "accentSoft", "own", "note", "chip"],
  accent: ["background", "panel", "raised", "hover", "accentSoft"],
  danger: ["background", "panel", "raised", "hover", "dangerSoft"],
  warningInk: ["warningSoft", "background", "panel", "raised", "note"],
  onAccent: ["accent", "accentHover"],
  onDanger: ["danger"],
};
const pairs = (["light", "dark"] as const).flatMap((theme) =>
  Object.entries(texts).flatMap(([text, grounds]) =>
    grounds.map((ground) => [theme, text as ColorName, ground] as const),
  ),
);

test.each(pairs)("%s: %s can be read on %s (AA, 4.5)", (theme, text, ground) => {
  expect(contrast(palettes[theme][text], palettes[theme][ground])).toBeGreaterThanOrEqual(4.5);
});

test.each(["light", "dark"] as const)("%s: marks and frames of controls can be seen (AA, 3)", (theme) => {
  for (const mark of ["accent", "danger", "warning", "tick"] as const) {
    expect(contrast(palettes[theme][mark], palettes[theme].panel), mark).toBeGreaterThanOrEqual(3);
  }
  expect(contrast(palettes[theme].tick, palettes[theme].own)).toBeGreaterThanOrEqual(3);
});

test.each(["light", "dark"] as const)(
  "%s: what the pointer or a key is on stands out from its list (S-11)",
  (theme) => {
    for (const ground of ["panel", "raised"] as const) {
      expect(contrast(palettes[theme].hover, palettes[theme][ground]), ground).toBeGreaterThanOrEqual(1.1);
    }
  },
);

test("contrast ratios match WCAG", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21);
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
  expect(parseHex("#fff")).toEqual([255, 255, 255]);
  expect(parseHex("red")).toBeUndefined();
});

test("text is readable on any colour that a user chooses", () => {
  for (let hue = 0; hue < 4096; hue += 7) {
    const ground = `#${hue.toString(16).padStart(3, "0")}`;
    expect(contrast(readableOn(ground), ground), ground).toBeGreaterThanOrEqual(4.5);
  }
});

test.each(["light", "dark"] as const)(
  "%s: ink is readable on the tint of any colour that a user chooses (Z-04)",
  (theme) => {
    const { ink, ...grounds } = palettes[theme];
    for (let hue = 0; hue < 4096; hue += 7) {
      const tint = `#${hue.toString(16).padStart(3, "0")}`;
      for (const ground of ["panel", "hover", "accentSoft", "raised"] as const) {
        expect(contrast(ink, mixed(tint, grounds[ground])), `${tint} on ${ground}`).toBeGreaterThanOrEqual(4.5);
      }
    }
  },
);

/** What `color-mix(in srgb, …)` shows of the tint on a ground. */
function mixed(tint: string, ground: string): string {
  const [above, below] = [parseHex(tint)!, parseHex(ground)!];
  const channel = (at: 0 | 1 | 2) =>
    Math.round((above[at] * TINT_PERCENT + below[at] * (100 - TINT_PERCENT)) / 100)
      .toString(16)
      .padStart(2, "0");
  return `#${channel(0)}${channel(1)}${channel(2)}`;
}

test.each(["light", "dark"] as const)(
  "%s: every participant's name can be read on their bubble (AA, 4.5) (Z-02)",
  (theme) => {
    expect(authorPalettes[theme]).toHaveLength(avatarTints.length);
    for (const name of authorPalettes[theme]) {
      expect(contrast(name, palettes[theme].panel), name).toBeGreaterThanOrEqual(4.5);
    }
  },
);

test("white letters can be read on every avatar, and a name keeps its colour", () => {
  avatarTints.forEach((tint) => expect(contrast("#ffffff", tint), tint).toBeGreaterThanOrEqual(4.5));
  expect(tintOf("Camila Souza")).toBe(tintOf("Camila Souza"));
});

test.each([
  ["Camila Souza", "CS"],
  ["João Pedro Albuquerque Nascimento", "JN"],
  ["Ana", "AN"],
  ["+55 85 98877-1020", "+5"],
  ["😀 Loja", "LO"],
  ["  ", "?"],
])("the initials of %s are %s", (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

test("a shortcut is written as on the keyboard", () => {
  expect(keysText("mod+k", false)).toBe("Ctrl K");
  expect(keysText("mod+k", true)).toBe("⌘ K");
  expect(keysText("e", false)).toBe("E");
});

test("a form is validated by the contract's schema, with errors in the user's language (E-03)", async () => {
  const resolve = contractResolver<{ name: string; color: string }>(
    () => import("#schemas/queues").then(({ queueBody }) => queueBody),
    "pt",
  );
  const options = { fields: {}, shouldUseNativeValidation: false };

  const bad = await resolve({ name: "", color: "#ff0000" }, undefined, options);
  expect(bad.errors).toMatchObject({ name: { message: "Obrigatório" } });

  const short = await resolve({ name: "V", color: "#ff0000" }, undefined, options);
  expect(short.errors).toMatchObject({ name: { message: "Muito curto! Ao menos 2 caracteres" } });

  const good = await resolve({ name: "Vendas", color: "#ff0000" }, undefined, options);
  expect(good).toEqual({ values: { name: "Vendas", color: "#ff0000" }, errors: {} });
});

test("a server error is shown at its field (E-03)", () => {
  expect(serverFieldErrors(new ApiError("ERR_CONTACT_BLOCKED", 409), { ERR_CONTACT_BLOCKED: "number" }, "pt")).toEqual([
    { name: "number", message: "Este contato está bloqueado." },
  ]);
  expect(serverFieldErrors(new ApiError("ERR_VALIDATION", 400, { fields: { name: "Too Short!" } }), {}, "pt")).toEqual([
    { name: "name", message: "Muito curto!" },
  ]);
  expect(serverFieldErrors(new Error("boom"), {}, "pt")).toEqual([]);
});

/** Presses Save in a form whose schema is loaded like this; `server`: whether one answers. */
async function press(load: LoadSchema, server: "up" | "down") {
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal("fetch", () => (server === "up" ? Promise.resolve(new Response()) : Promise.reject(new TypeError())));
  const { control, handleSubmit } = createFormControl({
    defaultValues: { name: "Vendas", color: "#ff0000" },
    resolver: contractResolver<{ name: string; color: string }>(load, "pt"),
  });
  const saved = vi.fn<() => void>();
  await handleSubmit(saved)();
  return { isSaved: saved.mock.calls.length > 0, failure: control._formState.errors.root?.type };
}
const missing = () => Promise.reject(new TypeError("Failed to fetch dynamically imported module: /assets/queues.js"));

test("a form whose rules cannot be fetched says whether the connection or the page is too old, and saves nothing (E-03)", async () => {
  expect(await press(missing, "down")).toEqual({ isSaved: false, failure: "network" });
  expect(await press(missing, "up")).toEqual({ isSaved: false, failure: "gone" });
});

test("a form whose rules did not come the first time saves, once the server answers again (E-03)", async () => {
  const load = vi.fn<LoadSchema>(() => import("#schemas/queues").then(({ queueBody }) => queueBody));
  load.mockImplementationOnce(missing);

  expect(await press(load, "up")).toEqual({ isSaved: true, failure: undefined });
});
