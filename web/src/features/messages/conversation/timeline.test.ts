import { expect, test } from "vitest";
import { aMessage, anEpisode, aNote } from "../../testing.ts";
import { buildTimeline, reuseRows } from "./timeline.ts";

const dayOf = (at: string) => at.slice(0, 10);
const kinds = (rows: ReturnType<typeof buildTimeline>) =>
  rows.map((row) =>
    row.kind === "message"
      ? `m${row.message.id}`
      : row.kind === "album"
        ? row.messages.map(({ id }) => id).join("+")
        : row.kind,
  );

test("days have separators and episodes have markers in order of time (M-01)", () => {
  const rows = buildTimeline(
    [
      aMessage({ id: 3, createdAt: "2026-11-21T09:00:30.000Z" }),
      aMessage({ id: 1, createdAt: "2026-11-20T22:00:00.000Z" }),
      aMessage({ id: 2, createdAt: "2026-11-21T09:00:00.000Z" }),
    ],
    [anEpisode({ startedAt: "2026-11-21T09:00:10.000Z", finishedAt: "2026-11-21T10:00:00.000Z" })],
    { dayOf, hasOlder: false },
  );
  expect(kinds(rows)).toEqual(["day", "m1", "day", "m2", "started", "m3", "ended"]);
});

test("no separator above an incomplete day: a row keeps its place when an older page of its day is loaded (M-01)", () => {
  const at = (id: number, createdAt: string) => aMessage({ id, createdAt });
  const newer = [
    at(10, "2026-11-21T08:30:00.000Z"),
    at(3, "2026-11-21T09:00:00.000Z"),
    at(4, "2026-11-22T09:00:00.000Z"),
  ];
  const older = [at(1, "2026-11-20T09:00:00.000Z"), at(2, "2026-11-21T08:00:00.000Z")];

  expect(kinds(buildTimeline(newer, [], { dayOf, hasOlder: true }))).toEqual(["m3", "day", "m4"]);
  expect(kinds(buildTimeline([...older, ...newer], [], { dayOf, hasOlder: true }))).toEqual([
    "day",
    "m2",
    "m10",
    "m3",
    "day",
    "m4",
  ]);
});

test("the oldest message waits for who wrote before it: no row above the reader loses its author's name (M-01, Z-02)", () => {
  const of = (loaded: number, hasOlder: boolean) =>
    buildTimeline(
      [1, 2, 3, 4].map((id) => aMessage({ id, createdAt: `2026-11-21T12:00:0${id}.000Z` })).slice(-loaded),
      [],
      { dayOf, hasOlder },
    ).filter((row) => row.kind === "message");

  expect(kinds(of(3, true))).toEqual(["m3", "m4"]);
  expect(of(4, true).slice(-2)).toEqual(of(3, true));
  expect(of(4, false).map(({ hasAuthor }) => hasAuthor)).toEqual([true, false, false, false]);
  // alone it does not wait
  expect(kinds(of(1, true))).toEqual(["m4"]);
});

test("two messages of one second keep the server's order (M-01)", () => {
  const rows = buildTimeline([aMessage({ id: 9, sequence: 9 }), aMessage({ id: 8, sequence: 8 })], [], {
    dayOf,
    hasOlder: false,
  });
  expect(kinds(rows)).toEqual(["day", "m8", "m9"]);
});

test("a marker older than the loaded pages waits for its page (M-01)", () => {
  const episode = anEpisode({ startedAt: "2026-11-01T09:00:00.000Z" });
  expect(kinds(buildTimeline([aMessage()], [episode], { dayOf, hasOlder: true }))).toEqual(["m1"]);
  expect(kinds(buildTimeline([aMessage()], [episode], { dayOf, hasOlder: false }))).toEqual([
    "day",
    "started",
    "day",
    "m1",
  ]);
});

test("an answer in the second in which the episode began comes after its marker (M-01)", () => {
  const episode = anEpisode({ startedAt: "2026-11-21T12:00:00.700Z" });
  expect(kinds(buildTimeline([aMessage({ fromMe: true })], [episode], { dayOf, hasOlder: false }))).toEqual([
    "day",
    "started",
    "m1",
  ]);
});

test("bubbles of one author within a minute stand together (M-01)", () => {
  const rows = buildTimeline(
    [
      aMessage({ id: 1, createdAt: "2026-11-21T12:00:01.000Z" }),
      aMessage({ id: 2, createdAt: "2026-11-21T12:00:40.000Z" }),
      aMessage({ id: 3, createdAt: "2026-11-21T12:01:05.000Z" }),
      aMessage({ id: 4, fromMe: true, createdAt: "2026-11-21T12:01:06.000Z" }),
    ],
    [],
    { dayOf, hasOlder: false },
  );
  const ends = rows.flatMap((row) => (row.kind === "message" ? [[row.message.id, row.isFirst, row.isLast]] : []));
  expect(ends).toEqual([
    [1, true, false],
    [2, false, true],
    [3, true, true],
    [4, true, true],
  ]);
});

test("a name stands where its author begins: not again a minute later, but after others, a note or another colleague (Z-02)", () => {
  const by = (id: number, second: number, change: Parameters<typeof aMessage>[0] = {}) =>
    aMessage({
      id,
      fromMe: true,
      clientId: `c${id}`,
      user: { id: 2, name: "Danilo" },
      createdAt: new Date(Date.UTC(2026, 10, 21, 12, 0, second)).toISOString(),
      ...change,
    });
  const rows = buildTimeline(
    [
      by(1, 0, { isAutomatic: true, user: null }),
      by(2, 1),
      by(3, 90),
      by(4, 95, { user: { id: 3, name: "Paula" } }),
      by(5, 96, { clientId: null, user: null }),
      by(6, 97, { fromMe: false, clientId: null, user: null }),
      by(7, 98),
      by(8, 110),
    ],
    [],
    { dayOf, hasOlder: false, notes: [aNote({ createdAt: "2026-11-21T12:01:45.000Z" })] },
  );
  const named = rows.flatMap((row) => (row.kind === "message" && row.hasAuthor ? [row.message.id] : []));
  expect(named).toEqual([1, 2, 4, 5, 6, 7, 8]);
  // another colleague's words begin a group of their own, also within the minute
  expect(rows.find((row) => row.kind === "message" && row.message.id === 4)).toMatchObject({ isFirst: true });
});

test("notes stand at the time when they were written, and end a run of bubbles (T-21)", () => {
  const at = (second: string) => `2026-11-21T12:00:${second}.000Z`;
  const rows = buildTimeline([aMessage({ id: 1, createdAt: at("01") }), aMessage({ id: 2, createdAt: at("40") })], [], {
    dayOf,
    hasOlder: false,
    notes: [aNote({ id: 6, createdAt: at("50") }), aNote({ id: 5, createdAt: at("20") })],
  });
  expect(kinds(rows)).toEqual(["day", "m1", "note", "m2", "note"]);
  expect(rows[3]).toMatchObject({ kind: "message", isFirst: true });
});

test("a note older than the loaded pages waits for its page (T-21)", () => {
  const notes = [aNote({ createdAt: "2026-11-01T09:00:00.000Z" })];
  expect(kinds(buildTimeline([aMessage()], [], { dayOf, hasOlder: true, notes }))).toEqual(["m1"]);
  expect(kinds(buildTimeline([aMessage()], [], { dayOf, hasOlder: false, notes }))).toEqual([
    "day",
    "note",
    "day",
    "m1",
  ]);
});

test("a conversation of notes alone shows them (T-21)", () => {
  expect(kinds(buildTimeline([], [], { dayOf, hasOlder: false, notes: [aNote()] }))).toEqual(["day", "note"]);
});

const aPhoto = (id: number, second: number, change: Parameters<typeof aMessage>[0] = {}) =>
  aMessage({
    id,
    mediaType: "image",
    createdAt: new Date(Date.UTC(2026, 10, 21, 12, 0, second)).toISOString(),
    ...change,
  });

test("pictures and videos that follow each other closely are one album (M-04)", () => {
  const rows = buildTimeline(
    [
      aPhoto(1, 0),
      aPhoto(2, 50, { mediaType: "video" }),
      aPhoto(3, 100),
      aPhoto(4, 170),
      aMessage({ id: 5, createdAt: "2026-11-21T12:02:51.000Z" }),
      aPhoto(6, 172),
    ],
    [],
    { dayOf, hasOlder: false },
  );
  expect(kinds(rows)).toEqual(["day", "1+2+3", "m4", "m5", "m6"]);
});

test("the line of what is new stands above an album, and splits none (Z-02, M-04)", () => {
  const rowsWith = (messageId: number) =>
    buildTimeline(
      [aMessage({ id: 1, createdAt: "2026-11-21T12:00:01.000Z" }), aPhoto(2, 2), aPhoto(3, 3), aPhoto(4, 4)],
      [],
      {
        dayOf,
        hasOlder: false,
        newSince: { messageId, count: 2 },
      },
    );
  expect(kinds(rowsWith(3))).toEqual(["day", "m1", "newSince", "2+3+4"]);
  expect(kinds(rowsWith(2))).toEqual(["day", "m1", "newSince", "2+3+4"]);
  expect(kinds(rowsWith(1))).toEqual(["day", "newSince", "m1", "2+3+4"]);
  expect(rowsWith(4).at(-1)).toMatchObject({ isFirst: true, hasAuthor: true });
});

test("another author, a quotation, a failure, a deletion or a missing file ends an album (M-04)", () => {
  const failed = { state: "failed" } as NonNullable<ReturnType<typeof aMessage>["media"]>;
  for (const change of [
    { fromMe: true },
    { user: { id: 9, name: "Rui" } },
    { participant: { number: "5511", name: "Eva" } },
    { quotedMsgId: 7 },
    { ack: -1 },
    { isDeleted: true },
    { media: failed },
    { mediaType: "sticker" as const },
  ]) {
    const rows = buildTimeline([aPhoto(1, 0), aPhoto(2, 1, change), aPhoto(3, 2)], [], { dayOf, hasOlder: false });
    expect(kinds(rows)).toEqual(["day", "m1", "m2", "m3"]);
  }
});

test("authors of an imported group without a number are told apart by their names (M-04)", () => {
  const by = (name: string) => ({ participant: { number: "", name } });
  const photos = [aPhoto(1, 0, by("Eva")), aPhoto(2, 1, by("Eva")), aPhoto(3, 2, by("Rui"))];
  const rows = buildTimeline(photos, [], { dayOf, hasOlder: false });
  expect(kinds(rows)).toEqual(["day", "1+2", "m3"]);
  expect(rows.at(-1)).toMatchObject({ hasAuthor: true });
});

test("an album keeps its key while older pictures are loaded before it, so that it stays in place (M-04, M-01)", () => {
  const keyOf = (photos: ReturnType<typeof aPhoto>[]) =>
    buildTimeline(photos, [], { dayOf, hasOlder: true }).at(-1)?.key;
  expect(keyOf([aPhoto(2, 1), aPhoto(3, 2)])).toBe(keyOf([aPhoto(1, 0), aPhoto(2, 1), aPhoto(3, 2)]));
});

test("pictures at the top wait for the page in which their album may begin: no row above the reader grows (M-01, M-04)", () => {
  const newer = [
    aPhoto(2, 1),
    aPhoto(3, 2),
    aMessage({ id: 4, createdAt: "2026-11-21T12:05:00.000Z" }),
    aPhoto(5, 600),
  ];
  expect(kinds(buildTimeline(newer, [], { dayOf, hasOlder: true }))).toEqual(["m4", "m5"]);
  expect(kinds(buildTimeline([aPhoto(1, 0), ...newer], [], { dayOf, hasOlder: false }))).toEqual([
    "day",
    "1+2+3",
    "m4",
    "m5",
  ]);
  // without anything else to show they do not wait
  expect(kinds(buildTimeline([aPhoto(2, 1), aPhoto(3, 2)], [], { dayOf, hasOlder: true }))).toEqual(["2+3"]);
});

test("a note or a marker between two pictures separates them (M-04, T-21)", () => {
  const notes = [aNote({ createdAt: "2026-11-21T12:00:01.000Z" })];
  const rows = buildTimeline([aPhoto(1, 0), aPhoto(2, 2)], [], { dayOf, hasOlder: false, notes });
  expect(kinds(rows)).toEqual(["day", "m1", "note", "m2"]);
});

test("a new message leaves the rows above it the objects that they were, but for the one that it follows (M-01)", () => {
  const at = (id: number, minute: number, change = {}) =>
    aMessage({ id, createdAt: `2026-11-21T09:0${minute}:00.000Z`, ...change });
  const rowsOf = (...messages: ReturnType<typeof aMessage>[]) =>
    buildTimeline(structuredClone(messages), [], { dayOf, hasOlder: false });

  const before = rowsOf(at(1, 1), at(2, 2), at(3, 3));
  const after = reuseRows(before, rowsOf(at(1, 1), at(2, 2, { body: "outro" }), at(3, 3), at(4, 3)));
  expect(after.map((row, index) => row === before[index])).toEqual([true, true, false, false, false]);
  expect(after).toEqual(rowsOf(at(1, 1), at(2, 2, { body: "outro" }), at(3, 3), at(4, 3)));
});
