import { expect, test } from "vitest";
import { migrationName } from "./new-migration.ts";

test.each([
  [["add", "shelf", "to", "products"], "add_shelf_to_products"],
  [["colour-of-contacts"], "colour_of_contacts"],
  [["colour of contacts"], "colour_of_contacts"],
  [["index", "2", "of-jobs"], "index_2_of_jobs"],
])("a migration is named by all words of %j", (words, name) => {
  expect(migrationName(words)).toBe(name);
});

test.each([[[]], [["Shelf"]], [["../shelf"]], [["2", "shelves"]], [["add", ""]]])(
  "%j is no name of a migration",
  (words) => {
    expect(() => migrationName(words)).toThrow("What does it do, in small letters?");
  },
);
