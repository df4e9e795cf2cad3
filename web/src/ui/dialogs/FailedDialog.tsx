import { InfoDialog } from "./InfoDialog.tsx";
import { ErrorState } from "#web/ui/states.tsx";

/** In place of a dialog whose data could not be read: otherwise its button would seem to do nothing. */
export function FailedDialog(props: {
  readonly error: unknown;
  readonly title: string;
  readonly onClose: () => void;
  readonly onRetry: () => void;
}) {
  const { error, title, onClose, onRetry } = props;
  return (
    <InfoDialog title={title} onClose={onClose}>
      <ErrorState error={error} onRetry={onRetry} />
    </InfoDialog>
  );
}
