import { styled } from "#web/ui/styled.ts";
import { useQuery } from "@tanstack/react-query";
import { Link2, Link2Off, PanelRight, PhoneOff, Plus, QrCode, Unplug, Users } from "lucide-react";
import { useState } from "react";
import { useFormat } from "#web/lib/text/format.ts";
import { stripFormatting } from "#web/lib/text/plain-text.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { phoneText } from "#web/lib/text/phone.ts";
import { Avatar } from "#web/ui/Avatar.tsx";
import { Button } from "#web/ui/Button.tsx";
import { Badge } from "#web/ui/Chip.tsx";
import { Input, SwitchField } from "#web/ui/fields/Field.tsx";
import { EmptyState, ErrorState, Skeleton } from "#web/ui/states.tsx";
import { toast } from "#web/ui/Toast.tsx";
import { color, media } from "#web/ui/theme.ts";
import { GroupChat } from "./GroupChat.tsx";
import { LimitControls } from "./LimitControls.tsx";
import { PhoneChat } from "./PhoneChat.tsx";
import { peopleOptions, useAddGroup, useAddPerson, useLineVerb } from "./simulator.api.ts";
import { simulatorMessages } from "./simulator.i18n.ts";

/** How many customers of a line join a new group. */
const MOST_MEMBERS = 50;

/** The phones of a simulator line (W-07): its customers' chats, and what can happen to the line. */
export function SimulatorPhone(props: {
  readonly connectionId: number;
  /** Opens this phone beside the desk. */
  readonly onBeside: () => void;
}) {
  const { connectionId } = props;
  const t = useMessages(simulatorMessages);
  const [chosen, setChosen] = useState<string>();

  return (
    <Stage>
      <Phone aria-label={t("title")}>
        <Notch aria-hidden />
        <PhoneScreen connectionId={connectionId} chosen={chosen} onChoose={setChosen} />
      </Phone>
      <LinePanel connectionId={connectionId} onBeside={props.onBeside} />
    </Stage>
  );
}

/** What is on a customer's phone: the chat that was chosen, else whom one can be. */
export function PhoneScreen(props: {
  readonly connectionId: number;
  /** Number of a customer, or id of a group. */
  readonly chosen: string | undefined;
  readonly onChoose: (chosen: string | undefined) => void;
}) {
  const { connectionId, chosen, onChoose } = props;
  const query = useQuery(peopleOptions(connectionId));
  const person = query.data?.people.find(({ number }) => number === chosen);
  const group = query.data?.groups.find(({ id }) => id === chosen);
  const onBack = () => onChoose(undefined);
  if (person) {
    return <PhoneChat key={person.number} connectionId={connectionId} person={person} onBack={onBack} />;
  }
  return group ? (
    <GroupChat key={group.id} connectionId={connectionId} group={group} onBack={onBack} />
  ) : (
    <People connectionId={connectionId} onChoose={onChoose} />
  );
}

function People({
  connectionId,
  onChoose,
}: {
  readonly connectionId: number;
  readonly onChoose: (number: string) => void;
}) {
  const t = useMessages(simulatorMessages);
  const format = useFormat();
  const query = useQuery(peopleOptions(connectionId));
  const add = useAddPerson(connectionId);
  const [name, setName] = useState("");

  return (
    <List>
      <h2>{t("people")}</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate(name.trim(), {
            onSuccess: ({ number }) => {
              setName("");
              onChoose(number);
            },
            onError: (error) => toast.failure(error),
          });
        }}
      >
        <Input
          value={name}
          placeholder={t("addPerson")}
          aria-label={t("personName")}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" icon={<Plus size={15} />} disabled={name.trim().length < 2} isBusy={add.isPending}>
          {t("add")}
        </Button>
      </form>
      {query.isPending && <Skeleton style={{ height: 120, margin: 12 }} />}
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data?.people.length === 0 && <EmptyState title={t("none")} />}
      <ul>
        {query.data?.people.map((person) => (
          <li key={person.number}>
            <button type="button" onClick={() => onChoose(person.number)}>
              <Avatar name={person.name} size={40} />
              <span>
                <b>{person.name}</b>
                <small>{stripFormatting(person.lastText) || person.number}</small>
              </span>
              <span>
                {person.lastAt && <small>{format.listTime(person.lastAt)}</small>}
                <Badge value={person.unread} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      <Groups connectionId={connectionId} onChoose={onChoose} />
    </List>
  );
}

/** The groups of the line; a new one contains all customers of the line. */
function Groups({
  connectionId,
  onChoose,
}: {
  readonly connectionId: number;
  readonly onChoose: (id: string) => void;
}) {
  const t = useMessages(simulatorMessages);
  const format = useFormat();
  const query = useQuery(peopleOptions(connectionId));
  const add = useAddGroup(connectionId);
  const [name, setName] = useState("");
  const people = query.data?.people ?? [];
  if (people.length === 0 && !query.data?.groups.length) {
    return null;
  }

  return (
    <>
      <h2>{t("groups")}</h2>
      {people.length > 0 && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            add.mutate(
              { name: name.trim(), numbers: people.slice(0, MOST_MEMBERS).map(({ number }) => number) },
              {
                onSuccess: ({ id }) => {
                  setName("");
                  onChoose(id);
                },
                onError: (error) => toast.failure(error),
              },
            );
          }}
        >
          <Input
            value={name}
            placeholder={t("addGroup")}
            aria-label={t("groupName")}
            onChange={(event) => setName(event.target.value)}
          />
          <Button
            type="submit"
            aria-label={t("makeGroup")}
            icon={<Users size={15} />}
            disabled={name.trim().length < 2}
            isBusy={add.isPending}
          >
            {t("make")}
          </Button>
        </form>
      )}
      <ul>
        {query.data?.groups.map((group) => (
          <li key={group.id}>
            <button type="button" onClick={() => onChoose(group.id)}>
              <Avatar name={group.name} size={40} />
              <span>
                <b>{group.name}</b>
                <small>
                  {stripFormatting(group.lastText) || group.members.map((member) => member.name).join(", ")}
                </small>
              </span>
              <span>{group.lastAt && <small>{format.listTime(group.lastAt)}</small>}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The owner's phone: links and unlinks the line, and triggers faults for tests. */
function LinePanel({ connectionId, onBeside }: { readonly connectionId: number; readonly onBeside: () => void }) {
  const t = useMessages(simulatorMessages);
  const query = useQuery(peopleOptions(connectionId));
  const line = useLineVerb(connectionId);
  const onError = (error: Error) => toast.failure(error);
  const phone = query.data?.phone;
  if (!phone) {
    return null;
  }
  return (
    <Panel>
      <h1>{t("title")}</h1>
      <p>{t("lead")}</p>
      <State data-linked={phone.linked || undefined}>
        {phone.linked ? <Link2 aria-hidden /> : <Link2Off aria-hidden />}
        <span>
          <b>{t(phone.linked ? "linked" : "notLinked")}</b>
          <small>{phoneText(phone.number)}</small>
        </span>
      </State>
      <Verbs>
        <Button icon={<PanelRight size={15} />} onClick={onBeside}>
          {t("besideOpen")}
        </Button>
        {!phone.linked && (
          <Button
            kind="primary"
            icon={<QrCode size={15} />}
            isBusy={line.isPending}
            onClick={() => line.mutate({ verb: "scan" }, { onSuccess: () => toast.success(t("scanned")), onError })}
          >
            {t("scan")}
          </Button>
        )}
        {phone.linked && (
          <>
            <Button
              icon={<Unplug size={15} />}
              onClick={() => line.mutate({ verb: "drop" }, { onSuccess: () => toast.info(t("dropped")), onError })}
            >
              {t("drop")}
            </Button>
            <Button icon={<PhoneOff size={15} />} onClick={() => line.mutate({ verb: "loggedOut" }, { onError })}>
              {t("loggedOut")}
            </Button>
          </>
        )}
      </Verbs>
      <SwitchField
        label={t("lively")}
        hint={t("livelyHint")}
        checked={query.data?.lively ?? false}
        onChange={(event) => line.mutate({ verb: "lively", lively: event.target.checked }, { onError })}
      />
      {phone.linked && phone.limits && <LimitControls connectionId={connectionId} limits={phone.limits} />}
    </Panel>
  );
}

const Stage = styled("div")({
  display: "flex",
  flexWrap: "wrap",
  justifyContent: "center",
  alignItems: "flex-start",
  gap: 32,
  minHeight: "100%",
  padding: 24,
  [media.phone]: { padding: 0, gap: 0 },
});

const Phone = styled("section")({
  display: "flex",
  flexDirection: "column",
  width: 360,
  maxWidth: "100%",
  height: "min(720px, calc(100dvh - 104px))",
  border: `8px solid ${color.lineStrong}`,
  borderRadius: 36,
  overflow: "hidden",
  backgroundColor: color.panel,
  [media.phone]: { width: "100%", height: "calc(100dvh - 56px)", border: 0, borderRadius: 0 },
});

const Notch = styled("div")({
  flex: "none",
  width: 96,
  height: 5,
  margin: "8px auto 4px",
  borderRadius: 3,
  backgroundColor: color.lineStrong,
  [media.phone]: { display: "none" },
});

const List = styled("div")({
  flex: 1,
  minHeight: 0,
  overflowY: "auto",
  "& h2": { padding: "8px 16px", fontSize: 18, fontWeight: 600 },
  "& form": { display: "flex", gap: 8, padding: "0 16px 12px" },
  "& ul button": {
    display: "flex",
    alignItems: "center",
    gap: 12,
    width: "100%",
    padding: "10px 16px",
    border: 0,
    borderTop: `1px solid ${color.line}`,
    background: "none",
    textAlign: "left",
    cursor: "pointer",
  },
  "& ul button:hover": { backgroundColor: color.hover },
  "& ul button > span:nth-of-type(2)": { flex: 1, minWidth: 0, display: "flex", flexDirection: "column" },
  "& ul button > span:last-child": { display: "flex", flexDirection: "column", alignItems: "flex-end", gap: 4 },
  "& b, & small": { overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" },
  "& small": { fontSize: 12, color: color.ink2 },
});

const Panel = styled("aside")({
  display: "flex",
  flexDirection: "column",
  gap: 16,
  width: 320,
  maxWidth: "100%",
  "& h1": { fontSize: 18, fontWeight: 600 },
  "& > p": { color: color.ink2 },
  [media.phone]: { width: "100%", padding: 16 },
});

const Verbs = styled("div")({ display: "flex", flexWrap: "wrap", gap: 8 });

const State = styled("section")({
  display: "flex",
  alignItems: "center",
  gap: 12,
  padding: 12,
  border: `1px solid ${color.line}`,
  borderRadius: 10,
  backgroundColor: color.panel,
  color: color.ink2,
  "&[data-linked] > svg": { color: color.accent },
  "& span": { display: "flex", flexDirection: "column" },
  "& b": { color: color.ink, fontWeight: 500 },
});
