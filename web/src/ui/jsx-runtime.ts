/** The JSX of this app (`web/vite.config.ts`): React's, with styled components drawn as the elements that they are. */
export { Fragment } from "react/jsx-runtime";
export { jsx, jsx as jsxs } from "./styled.ts";
