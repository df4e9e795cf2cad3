import { Button } from "./Button.tsx";
import { ErrorState } from "./states.tsx";

/** Below rows whose next page is asked for by a button; a page that did not come says why, and is tried again. */
export function MoreButton(props: {
  readonly label: string;
  readonly kind?: "quiet";
  /** These are of `pagingOf`. */
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly hasMoreFailed: boolean;
  readonly error: unknown;
  readonly onMore: () => void;
}) {
  if (props.hasMoreFailed && !props.isLoadingMore) {
    return <ErrorState error={props.error} onRetry={props.onMore} />;
  }
  return props.hasMore ? (
    <Button {...(props.kind && { kind: props.kind })} isBusy={props.isLoadingMore} onClick={props.onMore}>
      {props.label}
    </Button>
  ) : null;
}
