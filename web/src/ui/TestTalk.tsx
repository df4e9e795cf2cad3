import { RotateCcw, SendHorizontal } from "lucide-react";
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from "react";
import { Button } from "./Button.tsx";
import { InfoDialog } from "./dialogs/InfoDialog.tsx";
import { Input } from "./fields/Field.tsx";
import { IconButton } from "./IconButton.tsx";
import { styled } from "./styled.ts";
import { color } from "./theme.ts";

/** A dialog to write to an assistant as a customer would: the talk so far, and a field below it. */
export function TestTalk(props: {
  readonly title: string;
  /** Shown before anything was said. */
  readonly hint: string;
  readonly words: {
    readonly write: string;
    readonly send: string;
    readonly again: string;
    /** While the other side thinks. */
    readonly thinks: string;
  };
  readonly maxLength: number;
  readonly isPending: boolean;
  readonly onSend: (text: string) => void;
  /** Forgets the talk. */
  readonly onAgain: () => void;
  readonly onClose: () => void;
  /** The lines of the talk: `Bubble` for what was said, `p` for what became of it, `p data-wrong` for what failed. */
  readonly children: readonly ReactNode[];
}) {
  const { words, isPending, children } = props;
  const [text, setText] = useState("");
  const log = useRef<HTMLDivElement>(null);
  useEffect(() => {
    log.current?.lastElementChild?.scrollIntoView({ block: "end" });
  }, [children.length, isPending]);
  const send = (event: FormEvent) => {
    event.preventDefault();
    const written = text.trim();
    if (written !== "" && !isPending) {
      setText("");
      props.onSend(written);
    }
  };
  return (
    <InfoDialog
      title={props.title}
      width="sm"
      onClose={props.onClose}
      actions={
        <Writer onSubmit={send}>
          <IconButton label={words.again} onClick={props.onAgain}>
            <RotateCcw />
          </IconButton>
          <Input
            autoFocus
            aria-label={words.write}
            placeholder={words.write}
            autoComplete="off"
            maxLength={props.maxLength}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
          <Button kind="primary" type="submit" icon={<SendHorizontal size={16} />} isBusy={isPending}>
            {words.send}
          </Button>
        </Writer>
      }
    >
      <Talk ref={log} role="log" aria-busy={isPending}>
        {children.length === 0 && <p>{props.hint}</p>}
        {children}
        {isPending && <p role="status">{words.thinks}</p>}
      </Talk>
    </InfoDialog>
  );
}

const Writer = styled("form")({ display: "flex", flex: 1, alignItems: "center", gap: 8, minWidth: 0 });
const Talk = styled("div")({
  display: "flex",
  flexDirection: "column",
  flex: "1 0 auto",
  gap: 6,
  minHeight: 260,
  padding: 12,
  border: `1px solid ${color.line}`,
  borderRadius: 8,
  backgroundColor: color.background,
  "& > p": { alignSelf: "center", maxWidth: "92%", fontSize: 13, textAlign: "center", color: color.ink2 },
  "& > p[data-wrong]": {
    color: color.danger,
    "& small": { display: "block", color: color.ink2, overflowWrap: "anywhere" },
    "& small::first-letter": { textTransform: "uppercase" },
  },
  "& > small": { fontSize: 11, color: color.ink2 },
});

/** Something that was said; `data-own` by the customer. */
export const Bubble = styled("div")({
  alignSelf: "flex-start",
  maxWidth: "86%",
  padding: "7px 10px",
  borderRadius: "4px 12px 12px 12px",
  border: `1px solid ${color.line}`,
  backgroundColor: color.panel,
  fontSize: 13,
  lineHeight: 1.45,
  whiteSpace: "pre-wrap",
  overflowWrap: "anywhere",
  "&[data-own]": {
    alignSelf: "flex-end",
    borderRadius: "12px 4px 12px 12px",
    borderColor: color.ownLine,
    backgroundColor: color.own,
  },
});
