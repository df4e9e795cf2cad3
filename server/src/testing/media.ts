import type { TestApp } from "./app.ts";

/** The storage key of the file behind a media address. */
export function storageKeyOf(app: TestApp, address: string | null): string {
  const token = new URL(address ?? "").pathname.replace("/media/", "");
  return app.services.media.read(token)?.file.key ?? "";
}
