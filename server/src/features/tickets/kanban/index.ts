export { kanbanRoutes } from "./kanban.routes.ts";
