import type { InvitationLink } from "@prosa/contract/invitations";
import type { User } from "@prosa/contract/users";
import { Link2, MailX, Pencil, Plus, Trash2, UserPlus, UserRound } from "lucide-react";
import { useState } from "react";
import { useConnections } from "#web/features/connections/index.ts";
import {
  InvitationState,
  InviteDialog,
  LinkDialog,
  useCancelInvitation,
  UserDialog,
  userMessages,
  useRenewInvitation,
  usersRealtime,
  usersResource,
} from "#web/features/users/index.ts";
import { canManageUser } from "@prosa/contract/permissions";
import { useSearch } from "#web/lib/browser/hooks.ts";
import { useOpenedBy } from "#web/lib/routing/useOpenedBy.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { registerRealtime } from "#web/lib/realtime/realtime.ts";
import { useUser } from "#web/lib/session/session.ts";
import { Button } from "#web/ui/Button.tsx";
import { Chip } from "#web/ui/Chip.tsx";
import { confirm } from "#web/ui/dialogs/Confirm.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { ListScreen, type Column } from "#web/ui/ListScreen.tsx";
import { Person, Presence } from "#web/ui/Person.tsx";
import { EmptyState } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { toast } from "#web/ui/Toast.tsx";

registerRealtime(usersRealtime);

/** /users: the users of the company with rights and presence (U-01). */
export function Users() {
  const t = useMessages(userMessages);
  const me = useUser();
  const connections = useConnections().data ?? [];
  const search = useSearch();
  const list = usersResource.useList({ searchParam: search.asked });
  const [form, setForm] = useState<{ readonly user: User | undefined }>();
  const [isInviting, setInviting] = useOpenedBy("invite");
  const [link, setLink] = useState<InvitationLink>();
  // only an operator may edit an operator
  const mayEdit = (user: User) => canManageUser({ isSuper: me.super }, { isSuper: user.super });
  const add = (
    <Button kind="primary" icon={<Plus size={16} />} onClick={() => setForm({ user: undefined })}>
      {t("add")}
    </Button>
  );
  const invite = (
    <Button icon={<UserPlus size={16} />} onClick={() => setInviting(true)}>
      {t("invite")}
    </Button>
  );

  return (
    <>
      <ListScreen
        title={t("title")}
        {...list}
        columns={useColumns(me.id)}
        search={{ ...search, placeholder: t("search") }}
        rowActions={(user) =>
          mayEdit(user) && (
            <>
              {user.invitation && <InvitationActions user={user} onLink={setLink} />}
              <RowActions user={user} isOneself={user.id === me.id} onEdit={() => setForm({ user })} />
            </>
          )
        }
        onOpen={(user) => mayEdit(user) && setForm({ user })}
        openLabel={({ name }) => t("editNamed", { name })}
        action={add}
        moreActions={invite}
        empty={<EmptyState icon={<UserRound />} title={t("empty")} text={t("emptyText")} action={add} />}
      />
      {isInviting && <InviteDialog onInvited={setLink} onClose={() => setInviting(false)} />}
      {link && <LinkDialog link={link} onClose={() => setLink(undefined)} />}
      {form && <UserDialog user={form.user} connections={connections} onClose={() => setForm(undefined)} />}
    </>
  );
}

function useColumns(ownId: number): Column<User>[] {
  const t = useMessages(userMessages);
  return [
    {
      key: "name",
      title: t("name"),
      width: "minmax(160px, 1.4fr)",
      cell: ({ id, name }) => <Person name={name}>{id === ownId && <Chip>{t("you")}</Chip>}</Person>,
    },
    {
      key: "email",
      title: t("email"),
      width: "minmax(140px, 1.4fr)",
      cell: ({ email, invitation }) =>
        invitation ? (
          <Invited>
            <span title={email}>{email}</span>
            <InvitationState expiresAt={invitation.expiresAt} />
          </Invited>
        ) : (
          email
        ),
    },
    { key: "profile", title: t("profile"), width: "110px", cell: ({ profile }) => t(`profile_${profile}`) },
    {
      key: "queues",
      title: t("queues"),
      width: "minmax(120px, 1.4fr)",
      cell: ({ queues }) =>
        queues.length === 0 ? (
          <Faint>{t("none")}</Faint>
        ) : (
          <Chips title={queues.map(({ name }) => name).join(", ")}>
            {queues.map((queue) => (
              <Chip key={queue.id} tint={queue.color}>
                {queue.name}
              </Chip>
            ))}
          </Chips>
        ),
    },
    {
      key: "online",
      title: t("status"),
      width: "96px",
      cell: ({ online, invitation }) => (invitation ? <Faint>–</Faint> : <Presence isOnline={online} />),
    },
  ];
}

/** What becomes of an invitation: another link, or none. */
function InvitationActions(props: { readonly user: User; readonly onLink: (link: InvitationLink) => void }) {
  const { user } = props;
  const t = useMessages(userMessages);
  const renew = useRenewInvitation();
  const cancel = useCancelInvitation();
  const ask = () =>
    void confirm({
      title: t("cancelTitle", { name: user.name }),
      text: t("cancelText"),
      verb: t("cancelInvitation"),
      isDangerous: true,
      run: () => cancel.mutateAsync(user.id),
    }).then((isDone) => isDone && toast.success(t("cancelled")));

  return (
    <>
      <IconButton
        label={t("newLink")}
        disabled={renew.isPending}
        onClick={() => renew.mutate(user.id, { onSuccess: props.onLink, onError: (error) => toast.failure(error) })}
      >
        <Link2 />
      </IconButton>
      <IconButton label={t("cancelInvitation")} onClick={ask}>
        <MailX />
      </IconButton>
    </>
  );
}

function RowActions(props: { readonly user: User; readonly isOneself: boolean; readonly onEdit: () => void }) {
  const { user } = props;
  const t = useMessages(userMessages);
  const remove = usersResource.useRemove();
  const ask = () =>
    void confirm({
      title: t("deleteTitle", { name: user.name }),
      text: t("deleteText"),
      verb: t("delete"),
      isDangerous: true,
      run: () => remove.mutateAsync(user.id),
    }).then((isDone) => isDone && toast.success(t("deleted")));

  return (
    <>
      <IconButton label={t("edit")} onClick={props.onEdit}>
        <Pencil />
      </IconButton>
      {/* nobody deletes their own account, so that a company keeps an admin; an invitation is cancelled */}
      {!props.isOneself && !user.invitation && (
        <IconButton label={t("delete")} onClick={ask}>
          <Trash2 />
        </IconButton>
      )}
    </>
  );
}

const Invited = styled("span")({
  display: "block",
  minWidth: 0,
  lineHeight: 1.3,
  "& > span": { display: "block", overflow: "hidden", textOverflow: "ellipsis" },
});
const Chips = styled("span")({
  display: "inline-flex",
  flexWrap: "wrap",
  gap: 4,
  maxWidth: "100%",
  padding: "6px 0",
  verticalAlign: "middle",
  "& > span": { maxWidth: "min(160px, 100%)" },
});
const Faint = styled("span")({ color: color.ink2 });
