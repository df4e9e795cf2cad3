import { HardDrive } from "lucide-react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Banner } from "#web/ui/Banner.ts";
import { useFreeSpace } from "./storage.api.ts";
import { storageMessages } from "./storage.i18n.ts";

/** Notice for the operator that storage is full, and where. Renders nothing while there is free space. */
export function StorageNotice() {
  const t = useMessages(storageMessages);
  const { data } = useFreeSpace();
  if (!data || (data.database && data.files)) {
    return null;
  }
  return (
    <Banner role="alert">
      <HardDrive size={16} aria-hidden />
      <span>{data.database ? t("filesFull") : t("databaseFull")}</span>
    </Banner>
  );
}
