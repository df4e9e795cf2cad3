import { Smartphone } from "lucide-react";
import { useState } from "react";
import { Button } from "#web/ui/Button.tsx";
import { toast } from "#web/ui/Toast.tsx";

/** Makes the phone of a simulator line use the shown code. */
export function SimulatorCodeButton({
  label,
  onScan,
}: {
  readonly label: string;
  readonly onScan: () => Promise<unknown>;
}) {
  const [isScanning, setScanning] = useState(false);
  return (
    <Button
      kind="primary"
      icon={<Smartphone size={16} />}
      isBusy={isScanning}
      onClick={() => {
        setScanning(true);
        onScan()
          .catch((error: unknown) => toast.failure(error))
          .finally(() => setScanning(false));
      }}
    >
      {label}
    </Button>
  );
}
