/** The changelog's newest chapter becomes a release. Throws where nothing was written down. */
export function released(changelog: string, version: string, day: string): string {
  const [before, after] = changelog.split(UNRELEASED);
  if (before === undefined || after === undefined) {
    throw new Error(`CHANGELOG.md has no line "${UNRELEASED.trim()}"`);
  }
  const [news = "", ...older] = after.split(/^(?=## )/m);
  if (news.trim() === "") {
    throw new Error("CHANGELOG.md says nothing of this release: write down what changes for whoever runs or uses it");
  }
  return [`${before}${UNRELEASED}\n`, `## ${version} (${day})\n`, news, ...older].join("");
}

const UNRELEASED = "## Unreleased\n";
