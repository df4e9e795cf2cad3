export { Board, type CardFocus } from "./board/index.ts";
export { CardList } from "./CardList.tsx";
export { laneCountsOptions } from "./kanban.api.ts";
export { kanbanMessages } from "./kanban.i18n.ts";
export { kanbanRealtime } from "./kanban.realtime.ts";
export { cardListOf, laneIdsOf, type BoardFilter } from "./lanes.ts";
