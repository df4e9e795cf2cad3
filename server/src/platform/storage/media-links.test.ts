import { expect, test, vi } from "vitest";
import { createSigner } from "../auth/index.ts";
import type { Signer } from "../auth/index.ts";
import { createMediaLinks } from "./media-links.ts";

function linksAt(start: string) {
  let time = new Date(start);
  const clock = { now: () => time };
  const signer = createSigner(["a secret of at least thirty-two letters"], clock);
  const sign = vi.fn<Signer["sign"]>((...text) => signer.sign(...text));
  return {
    media: createMediaLinks({ ...signer, sign }, clock, () => "https://desk.example"),
    sign,
    moveTo: (next: string) => (time = new Date(next)),
  };
}
const picture = { companyId: 1, key: "company/1/contacts/a.jpg", contentType: "image/jpeg" };
const tokenOf = (link: string) => link.slice(link.lastIndexOf("/") + 1);

test("a file's address is signed once a day and stays valid through the next one", () => {
  const { media, sign, moveTo } = linksAt("2026-03-01T23:59:00Z");
  const first = media.link(picture);
  expect(media.link({ ...picture })).toBe(first);
  expect(sign).toHaveBeenCalledTimes(1);
  const period = media.period();
  expect(media.period()).toBe(period);

  moveTo("2026-03-02T00:01:00Z");
  const second = media.link(picture);
  expect(second).not.toBe(first);
  expect(media.period()).not.toBe(period);
  expect(sign).toHaveBeenCalledTimes(2);
  expect(media.read(tokenOf(first))).toEqual({ state: "valid", file: { ...picture, name: undefined } });

  moveTo("2026-03-03T00:01:00Z");
  expect(media.read(tokenOf(first))?.state).toBe("expired");
  expect(media.read(tokenOf(second))?.state).toBe("valid");
});

test("type and name make another address, and another company's file none", () => {
  const { media } = linksAt("2026-03-01T12:00:00Z");
  const files = [picture, { ...picture, contentType: "image/png" }, { ...picture, name: "a.jpg" }];
  expect(new Set(files.map((file) => media.link(file)))).toHaveLength(3);
  expect(files.map((file) => media.read(tokenOf(media.link(file)))?.file)).toMatchObject(files);
  expect(() => media.link({ ...picture, companyId: 2 })).toThrow("does not belong to company 2");
});
