/** The picker of tags, in a chunk of its own: it is opened by a key. */
export { TagPicker } from "#web/features/tags/index.ts";
