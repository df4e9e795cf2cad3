import type { Queue } from "@prosa/contract/queues";
import { useId, useState } from "react";
import { BotPreview } from "#web/features/bot/index.ts";
import { FileListField } from "#web/features/files/index.ts";
import { OptionTree, queueMessages } from "#web/features/queues/index.ts";
import { useMedia } from "#web/lib/browser/hooks.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { ColorDot } from "#web/ui/Chip.tsx";
import { Dialog } from "#web/ui/dialogs/Dialog.tsx";
import { DialogHead } from "#web/ui/dialogs/InfoDialog.tsx";
import { styled } from "#web/ui/styled.ts";
import { Tabs } from "#web/ui/Tabs.tsx";
import { color, media } from "#web/ui/theme.ts";

/** Tree editor of a queue's options, with a preview of the bot beside it; on a phone as two tabs. */
export function BotMenuDialog({ queue, onClose }: { readonly queue: Queue; readonly onClose: () => void }) {
  const t = useMessages(queueMessages);
  const isPhone = useMedia(media.phone);
  const titleId = useId();
  const [part, setPart] = useState<"options" | "preview">("options");
  /** Incremented by each change of the tree to restart the preview, whose state may reference deleted options. */
  const [revision, setRevision] = useState(0);
  return (
    <Dialog width="lg" aria-labelledby={titleId} onClose={onClose}>
      <Frame>
        <DialogHead
          title={`${t("botMenu")} · ${queue.name}`}
          titleId={titleId}
          mark={<ColorDot tint={queue.color} size={12} />}
          onClose={onClose}
        />
        {isPhone && (
          <Tabs
            label={t("botMenu")}
            tabs={[
              { key: "options", label: t("options") },
              { key: "preview", label: t("tryIt") },
            ]}
            selected={part}
            onSelect={setPart}
          />
        )}
        <div>
          <div hidden={isPhone && part !== "options"}>
            <OptionTree
              queueId={queue.id}
              onChanged={() => setRevision((before) => before + 1)}
              fileLists={(value, onChange) => <FileListField {...{ value, onChange }} />}
            />
          </div>
          <div hidden={isPhone && part !== "preview"}>
            <BotPreview queueId={queue.id} revision={revision} />
          </div>
        </div>
      </Frame>
    </Dialog>
  );
}

const Frame = styled("div")({
  display: "flex",
  flexDirection: "column",
  height: "min(760px, calc(100vh - 64px))",
  minHeight: 0,
  "& > [role=tablist]": { padding: "0 10px", borderBottom: `1px solid ${color.line}` },
  "& > div:last-child": {
    flex: 1,
    display: "grid",
    gridTemplateColumns: "minmax(0, 1fr) min(404px, 45%)",
    minHeight: 0,
    borderTop: `1px solid ${color.line}`,
  },
  "& > div:last-child > div": { minHeight: 0, padding: "12px 20px 20px", overflowY: "auto" },
  "& > div:last-child > div:last-of-type": {
    display: "flex",
    flexDirection: "column",
    backgroundColor: color.hover,
    "& > section": { flex: 1 },
  },
  "& > div:last-child > div[hidden]": { display: "none" },
  [media.phone]: {
    height: "100%",
    "& > div:last-child": { gridTemplateColumns: "minmax(0, 1fr)", borderTop: 0 },
    "& > div:last-child > div": { padding: 12 },
  },
});
