import { styled } from "./styled.ts";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, type ReactNode } from "react";

/** A long list of which only what is seen is drawn. Rows may have any height; the estimate only places the scroll bar. */
export function VirtualList<T>(props: {
  readonly label: string;
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string | number;
  readonly row: (item: T, index: number) => ReactNode;
  readonly estimatedHeight: number;
  /** Keeps this one in view, as the chosen row of a list that the keyboard moves in. */
  readonly revealed?: number | undefined;
  readonly hasMore?: boolean;
  readonly isLoadingMore?: boolean;
  readonly onMore?: () => void;
  /** Shown after the last row: progress, or the end's word. */
  readonly foot?: ReactNode;
}) {
  const { items, keyOf, hasMore, isLoadingMore, onMore, revealed } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => props.estimatedHeight,
    getItemKey: (index) => {
      const item = items[index];
      return item === undefined ? index : keyOf(item);
    },
    overscan: 6,
  });

  useEffect(() => {
    if (revealed !== undefined && revealed >= 0) {
      virtual.scrollToIndex(revealed, { align: "auto" });
    }
  }, [revealed, virtual]);

  const onScroll = () => {
    const element = scroller.current;
    if (element && hasMore && !isLoadingMore && element.scrollHeight - element.scrollTop - element.clientHeight < 100) {
      onMore?.();
    }
  };
  // A first page that does not fill the height never scrolls, and would wait for ever.
  useEffect(onScroll);

  return (
    <Scroller ref={scroller} onScroll={onScroll} role="list" aria-label={props.label} tabIndex={-1}>
      <div role="presentation" style={{ position: "relative", height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ key, index, start }) => {
          const item = items[index];
          return (
            item !== undefined && (
              <Place key={key} role="listitem" ref={virtual.measureElement} data-index={index} style={{ top: start }}>
                {props.row(item, index)}
              </Place>
            )
          );
        })}
      </div>
      {props.foot}
    </Scroller>
  );
}

const Scroller = styled("div")({ height: "100%", overflowY: "auto", overflowAnchor: "none", outline: 0 });
const Place = styled("div")({ position: "absolute", left: 0, right: 0 });
