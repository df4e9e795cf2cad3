import { styled } from "#web/ui/styled.ts";
import type { Connection } from "@prosa/contract/connections";
import { useMessages } from "#web/lib/text/i18n.ts";
import { phoneText } from "#web/lib/text/phone.ts";
import { Button } from "#web/ui/Button.tsx";
import { toast } from "#web/ui/Toast.tsx";
import { useResolvePendingNumber } from "./connections.api.ts";
import { connectionMessages } from "./connections.i18n.ts";

/** The line was linked to a different number than before: an admin accepts or unlinks it. */
export function OtherNumber(props: {
  readonly connection: Connection;
  readonly number: string;
  readonly onAccepted: () => void;
  readonly onRefused: () => void;
}) {
  const { connection, number } = props;
  const t = useMessages(connectionMessages);
  const decide = useResolvePendingNumber();
  // by the promise, not by callbacks of `mutate`: this component unmounts before the response arrives
  const answer = (accept: boolean) => {
    decide
      .mutateAsync({ id: connection.id, accept })
      .then(accept ? props.onAccepted : props.onRefused, (error: unknown) => toast.failure(error));
  };

  return (
    <Question role="alert">
      <p>
        {t("otherNumberText", {
          before: connection.number ? phoneText(connection.number) : "–",
          now: phoneText(number),
        })}
      </p>
      <Button isBusy={decide.isPending} onClick={() => answer(true)}>
        {t("otherNumberAccept")}
      </Button>
      <Button kind="primary" disabled={decide.isPending} onClick={() => answer(false)}>
        {t("otherNumberRefuse")}
      </Button>
    </Question>
  );
}

const Question = styled("div")({
  display: "flex",
  flexDirection: "column",
  gap: 12,
  width: "100%",
  "& p": { whiteSpace: "pre-line", textAlign: "left" },
});
