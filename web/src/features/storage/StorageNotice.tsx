import { HardDrive } from "lucide-react";
import { useMessages } from "#web/lib/i18n.ts";
import { Banner } from "#web/ui/Banner.ts";
import { useRoom } from "./storage.api.ts";
import { storageMessages } from "./storage.i18n.ts";

/** For the operator: that nothing can be saved, and where. Nothing while there is room. */
export function StorageNotice() {
  const t = useMessages(storageMessages);
  const { data } = useRoom();
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
