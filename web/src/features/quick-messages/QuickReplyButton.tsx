import type { QuickMessage } from "@prosa/contract/quick-messages";
import { Zap } from "lucide-react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { IconButton } from "#web/ui/IconButton.tsx";
import { lateComponent } from "#web/ui/lateComponent.tsx";
import { Popover } from "#web/ui/Popover.tsx";
import { ProgressBar } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { quickReplyMessages } from "./quick-replies.i18n.ts";

const QuickReplyPicker = lateComponent(async () => (await import("./QuickReplyPicker.tsx")).QuickReplyPicker, Loading);

/** Opens the quick-reply picker, for users who do not type "/" (M-12). */
export function QuickReplyButton(props: {
  readonly onChoose: (one: QuickMessage) => void;
  readonly disabled?: boolean;
}) {
  const t = useMessages(quickReplyMessages);
  return (
    <Popover
      label={t("suggestions")}
      align="start"
      opener={(opener) => (
        <IconButton label={t("suggestions")} disabled={props.disabled ?? false} {...opener}>
          <Zap />
        </IconButton>
      )}
    >
      {(close) => (
        <PickerSize>
          <QuickReplyPicker
            onChoose={(one) => {
              close();
              props.onChoose(one);
            }}
            onClose={close}
          />
        </PickerSize>
      )}
    </Popover>
  );
}

function Loading() {
  return <ProgressBar label={useMessages(quickReplyMessages)("suggestions")} />;
}

/** Fixed height: the popover is positioned before its content is loaded. */
const PickerSize = styled("div")({ height: 340, display: "flex", flexDirection: "column" });
