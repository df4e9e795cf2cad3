import { integrationRules } from "@prosa/contract";
import { z } from "zod";
import { truncateText } from "#server/platform/truncate-text.ts";

/** A node of Typebot's rich text: a leaf with a text and its marks, or an element with children. */
interface RichNode {
  readonly type?: string | undefined;
  readonly text?: string | undefined;
  readonly bold?: boolean | undefined;
  readonly italic?: boolean | undefined;
  readonly strikethrough?: boolean | undefined;
  readonly url?: string | undefined;
  readonly children?: readonly RichNode[] | undefined;
}

const maxDepth = 12;

const richNode: z.ZodType<RichNode> = z.lazy(() =>
  z.object({
    type: z.string().optional(),
    text: z.string().optional(),
    bold: z.boolean().optional().catch(undefined),
    italic: z.boolean().optional().catch(undefined),
    strikethrough: z.boolean().optional().catch(undefined),
    url: z.string().optional().catch(undefined),
    children: z.array(richNode).optional(),
  }),
);
export const richText = z.array(richNode);

/** Elements that begin a line of their own. */
const blocks = new Set(["p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "code_block", "ul", "ol", "li", "lic"]);

/** Typebot's rich text with WhatsApp's marks: *bold*, _italic_, ~strike~, links with their address, lists as lines. */
export function toWhatsAppText(nodes: readonly RichNode[]): string {
  const lines = nodes.flatMap((node) => linesOf(node, "", 0));
  return lines
    .map((line) => line.trimEnd())
    .join("\n")
    .trim();
}

function linesOf(node: RichNode, prefix: string, depth: number): string[] {
  const children = node.children ?? [];
  if (depth > maxDepth) {
    return [];
  }
  if (node.type === "ul" || node.type === "ol") {
    return children.flatMap((item, index) => linesOf(item, node.type === "ol" ? `${index + 1}. ` : "- ", depth + 1));
  }
  const hasBlocks = children.some(({ type }) => type !== undefined && blocks.has(type));
  if (hasBlocks) {
    return children.flatMap((child, index) => linesOf(child, index === 0 ? prefix : "", depth + 1));
  }
  const line = children.length > 0 ? children.map((child) => inline(child, depth + 1)).join("") : inline(node, depth);
  const said = /^h\d$/u.test(node.type ?? "") ? marked(line, "*") : line;
  return `${prefix}${said}`.split("\n");
}

function inline(node: RichNode, depth: number): string {
  if (depth > maxDepth) {
    return "";
  }
  if (node.text !== undefined) {
    const words = truncateText(node.text, integrationRules.maxText);
    const strike = node.strikethrough ? marked(words, "~") : words;
    const italic = node.italic ? marked(strike, "_") : strike;
    return node.bold ? marked(italic, "*") : italic;
  }
  const inner = (node.children ?? []).map((child) => inline(child, depth + 1)).join("");
  if (node.type !== "a" || node.url === undefined) {
    return inner;
  }
  const bare = (address: string) => address.replace(/^(?:https?:\/\/|mailto:|tel:)/u, "").replace(/\/$/u, "");
  return inner === "" || bare(inner.trim()) === bare(node.url) ? node.url : `${inner} (${node.url})`;
}

/** WhatsApp shows a mark only right beside the words, on each line by itself. */
function marked(text: string, mark: string): string {
  const lines = text.split("\n").map((line) => {
    const words = line.trim();
    const before = line.length - line.trimStart().length;
    return words === "" ? line : `${line.slice(0, before)}${mark}${words}${mark}${line.slice(before + words.length)}`;
  });
  return lines.join("\n");
}
