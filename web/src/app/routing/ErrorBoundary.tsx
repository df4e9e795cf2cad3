import { TriangleAlert } from "lucide-react";
import { Component, type ReactNode } from "react";
import { useLocation } from "#web/lib/routing/location.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { EmptyState } from "#web/ui/states.tsx";
import { appMessages } from "#web/app/app.i18n.ts";

interface Props {
  readonly children: ReactNode;
  /** A navigation resets the error. */
  readonly place: string;
}
interface State {
  readonly error: unknown;
  readonly place: string;
}

/** Shows an error in place of a crashed screen; menu and top bar stay. */
class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: undefined, place: this.props.place };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error: error ?? new Error("unknown") };
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    return props.place === state.place ? null : { error: undefined, place: props.place };
  }

  override render(): ReactNode {
    return this.state.error === undefined ? (
      this.props.children
    ) : (
      <Crashed error={this.state.error} onRetry={() => this.setState({ error: undefined })} />
    );
  }
}

/** The same for the current address: what is in it is not rendered again by a navigation. */
export function PlaceErrorBoundary({ children }: { readonly children: ReactNode }) {
  return <ErrorBoundary place={useLocation().pathname}>{children}</ErrorBoundary>;
}

function Crashed({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const t = useMessages(appMessages);
  return (
    <div role="alert">
      <EmptyState
        icon={<TriangleAlert />}
        title={t("crashed")}
        text={t("crashedText")}
        action={
          <Button kind="primary" onClick={isMissingChunk(error) ? () => location.reload() : onRetry}>
            {t("retry")}
          </Button>
        }
      />
    </div>
  );
}

/** After a release the chunks of the old build are deleted: only a reload helps. */
function isMissingChunk(error: unknown): boolean {
  return error instanceof Error && /dynamically imported module|importing a module|preload/i.test(error.message);
}
