import { HardDrive } from "lucide-react";
import { useMessages } from "#web/lib/i18n.ts";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
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
    <Notice role="alert">
      <HardDrive size={16} aria-hidden />
      <span>{data.database ? t("filesFull") : t("databaseFull")}</span>
    </Notice>
  );
}

const Notice = styled("p")({
  display: "flex",
  alignItems: "center",
  gap: 8,
  margin: 0,
  padding: "10px 20px",
  backgroundColor: color.dangerSoft,
  color: color.danger,
});
