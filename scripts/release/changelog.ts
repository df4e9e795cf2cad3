/** The changelog's newest chapter becomes a release. Throws where nothing was written down. */
export function released(changelog: string, version: string, day: string): string {
  const [before, after] = changelog.split(UNRELEASED);
  if (before === undefined || after === undefined) {
    throw new Error(`CHANGELOG.md has no line "${UNRELEASED.trim()}"`);
  }
  const [news = "", ...older] = after.split(/^(?=## )/m);
  if (news.trim() === "") {
    throw new Error("CHANGELOG.md has no entry for this release: describe what changes for operators and users");
  }
  return [`${before}${UNRELEASED}\n`, `## ${version} (${day})\n`, news, ...older].join("");
}

const UNRELEASED = "## Unreleased\n";
