import { lazy, Suspense, useEffect, type ReactNode } from "react";
import { whenIdle } from "#web/lib/browser/idle.ts";
import { HeldKeys } from "#web/lib/browser/typed-ahead.ts";
import type { OpenerProps } from "#web/ui/useOpener.ts";
import { Popover } from "#web/ui/Popover.tsx";
import type { LabelChoicesProps } from "#web/ui/select/labels.ts";
import { styled } from "#web/ui/styled.ts";

interface LabelPickerProps extends LabelChoicesProps {
  readonly opener: (props: OpenerProps) => ReactNode;
}

const load = () => import("#web/ui/select/LabelChoices.tsx");
const LabelChoices = lazy(async () => ({ default: (await load()).LabelChoices }));

/** A popover to search and toggle labels, with keyboard; its combobox is fetched when the browser is idle. */
export function LabelPicker({ opener, label, ...rest }: LabelPickerProps) {
  useEffect(() => whenIdle(() => void load()), []);
  return (
    <Popover label={label} opener={opener} width={280}>
      {(close) => (
        <Suspense fallback={<Coming />}>
          <LabelChoices label={label} {...rest} onEscape={close} />
        </Suspense>
      )}
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
