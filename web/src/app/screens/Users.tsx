import type { User } from "@prosa/contract/users";
import { Pencil, Plus, Trash2, UserRound } from "lucide-react";
import { useState } from "react";
import { useConnections } from "#web/features/connections/index.ts";
import { UserDialog, userMessages, usersRealtime, usersResource } from "#web/features/users/index.ts";
import { canManageUser } from "@prosa/contract/permissions";
import { useSearch } from "#web/lib/browser/hooks.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { registerRealtime } from "#web/lib/realtime/realtime.ts";
import { useUser } from "#web/lib/session/session.ts";
import { Button } from "#web/ui/Button.tsx";
import { Chip } from "#web/ui/Chip.tsx";
import { confirm } from "#web/ui/Confirm.tsx";
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
  // only an operator may edit an operator
  const mayEdit = (user: User) => canManageUser({ isSuper: me.super }, { isSuper: user.super });
  const add = (
    <Button kind="primary" icon={<Plus size={16} />} onClick={() => setForm({ user: undefined })}>
      {t("add")}
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
          mayEdit(user) && <RowActions user={user} isOneself={user.id === me.id} onEdit={() => setForm({ user })} />
        }
        onOpen={(user) => mayEdit(user) && setForm({ user })}
        openLabel={({ name }) => t("editNamed", { name })}
        action={add}
        empty={<EmptyState icon={<UserRound />} title={t("empty")} text={t("emptyText")} action={add} />}
      />
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
    { key: "email", title: t("email"), width: "minmax(140px, 1.4fr)", cell: ({ email }) => email },
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
      cell: ({ online }) => <Presence isOnline={online} />,
    },
  ];
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
      {/* nobody deletes their own account, so that a company keeps an admin */}
      {!props.isOneself && (
        <IconButton label={t("delete")} onClick={ask}>
          <Trash2 />
        </IconButton>
      )}
    </>
  );
}

const Chips = styled("span")({
  display: "inline-flex",
  flexWrap: "wrap",
  gap: 4,
  maxHeight: 40,
  overflow: "hidden",
  verticalAlign: "middle",
});
const Faint = styled("span")({ color: color.ink2 });
