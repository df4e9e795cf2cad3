import { useEffect, type ReactNode } from "react";
import { whenIdle } from "#web/lib/browser/idle.ts";
import { HeldKeys } from "#web/lib/browser/typed-ahead.ts";
import { lateComponent } from "#web/ui/lateComponent.tsx";
import type { OpenerProps } from "#web/ui/useOpener.ts";
import { Popover } from "#web/ui/Popover.tsx";
import type { LabelChoicesProps } from "#web/ui/select/labels.ts";
import { styled } from "#web/ui/styled.ts";

interface LabelPickerProps extends LabelChoicesProps {
  readonly opener: (props: OpenerProps) => ReactNode;
}

const load = () => import("#web/ui/select/LabelChoices.tsx");
const LabelChoices = lateComponent(async () => (await load()).LabelChoices, Coming);

/** A popover to search and toggle labels, with keyboard; its combobox is fetched when the browser is idle. */
export function LabelPicker({ opener, label, ...rest }: LabelPickerProps) {
  useEffect(() => whenIdle(() => void load()), []);
  return (
    <Popover label={label} opener={opener} width={280}>
      {(close) => <LabelChoices label={label} {...rest} onClose={close} />}
    </Popover>
  );
}

function Coming() {
  return (
    <Room>
      <HeldKeys />
    </Room>
  );
}

const Room = styled("div")({ height: 120 });
