import { expect, test } from "vitest";
import { isVideoCode, videoCodeIn } from "./video.ts";

test.each([
  "dQw4w9WgXcQ",
  "  dQw4w9WgXcQ ",
  "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
  "https://www.youtube.com/watch?list=abc&v=dQw4w9WgXcQ&t=10s",
  "https://youtu.be/dQw4w9WgXcQ?si=abc",
  "youtu.be/dQw4w9WgXcQ",
  "https://m.youtube.com/shorts/dQw4w9WgXcQ",
  "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ",
])("the code is found in %j (Y-03)", (typed) => {
  expect(videoCodeIn(typed)).toBe("dQw4w9WgXcQ");
});

test.each([
  "https://vimeo.com/123456789",
  "https://youtube.com.example.org/watch?v=dQw4w9WgXcQ",
  "https://www.youtube.com/watch?v=../../x",
  "javascript:alert(1)//watch?v=dQw4w9WgXcQ",
  "não é um código",
  "",
])("%j stays what was typed, and is no code (Y-03)", (typed) => {
  expect(videoCodeIn(typed)).toBe(typed);
  expect(isVideoCode(videoCodeIn(typed))).toBe(false);
});
