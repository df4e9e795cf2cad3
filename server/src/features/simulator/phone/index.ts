export { mediaUrlOf, phoneFiles } from "./media-url.ts";
export { fileContent, messageContents } from "./message-content.ts";
export { callLine, limitLine, linkPhone, sendAsCustomer } from "./phone-actions.ts";
