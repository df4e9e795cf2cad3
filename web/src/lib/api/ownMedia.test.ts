import { expect, test } from "vitest";
import { withOwnMedia } from "./ownMedia.ts";

test("media addresses of answers lead to the app's own origin; words of people and other addresses stay as they are (M-04)", () => {
  const record = (origin: string) => ({
    mediaUrl: `${origin}/media/abc.def`,
    mediaPath: `${origin}/media/abc.def`,
    contact: { profilePicUrl: `${origin}/media/p.1`, urlPicture: null },
    baseUrl: "https://assistant.example.com/media/v1",
    body: "https://desk.example.com/media/abc.def",
    lastMessage: '"mediaUrl":"https://desk.example.com/media/abc.def"',
  });
  for (const origin of ["https://desk.example.com", "http://localhost:8080", "http://[::1]:8080", ""]) {
    expect(JSON.parse(withOwnMedia(JSON.stringify(record(origin))))).toEqual(record(""));
  }
});
