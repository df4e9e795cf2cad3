export { AttendantsTable } from "./AttendantsTable.tsx";
export { Card, ChartCard } from "./ChartCard.tsx";
export { dashboardRealtime, figuresOptions, perDayOptions, perUserOptions } from "./dashboard.api.ts";
export { dashboardMessages } from "./dashboard.i18n.ts";
export { figuresCsv, isByHour } from "./figures-csv.ts";
export { defaultFilter, todayIn } from "./filter.ts";
export { FilterBar } from "./FilterBar.tsx";
export { PeopleChart, TimeChart } from "./LazyCharts.tsx";
export { Tiles } from "./Tiles.tsx";
