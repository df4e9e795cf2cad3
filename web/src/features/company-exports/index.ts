export { CompanyExportCard } from "./CompanyExportCard.tsx";
