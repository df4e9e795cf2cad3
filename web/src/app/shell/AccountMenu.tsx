import { styled } from "#web/ui/styled.ts";
import { useState } from "react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { useUser } from "#web/lib/session/session.ts";
import { Avatar } from "#web/ui/Avatar.tsx";
import { lateComponent } from "#web/ui/lateComponent.tsx";
import { Opening } from "#web/ui/Opening.tsx";
import { media } from "#web/ui/theme.ts";
import { Tooltip } from "#web/ui/Tooltip.tsx";
import { useOpener } from "#web/ui/useOpener.ts";
import { appMessages } from "#web/app/app.i18n.ts";
import { lateDialog } from "#web/ui/dialogs/lateDialog.tsx";
import type { AccountActionsProps } from "./AccountActions.tsx";
import { LateVolumeSlider } from "./VolumeButton.tsx";

const NotificationsDialog = lateDialog(
  async () => (await import("#web/app/notifications/NotificationsDialog.tsx")).NotificationsDialog,
);
const ProfileDialog = lateDialog(async () => (await import("#web/app/profile/ProfileDialog.tsx")).ProfileDialog);
const AccountActions = lateComponent<AccountActionsProps>(
  async () => (await import("./AccountActions.tsx")).AccountActions,
  Opening,
);

/** The button of the account menu, and what is opened from it. */
export function AccountMenu({ isPhone }: { readonly isPhone: boolean }) {
  const t = useMessages(appMessages);
  const user = useUser();
  const { anchor, opener, close } = useOpener("menu");
  const [isEditing, setEditing] = useState(false);
  const [isTuning, setTuning] = useState(false);
  return (
    <>
      <Tooltip text={t("account")}>
        <Face type="button" {...opener} aria-label={t("account")}>
          <Avatar name={user.name} size={30} />
        </Face>
      </Tooltip>
      {anchor && (
        <AccountActions
          anchor={anchor}
          isPhone={isPhone}
          volume={<LateVolumeSlider />}
          onProfile={() => setEditing(true)}
          onNotifications={() => setTuning(true)}
          onClose={close}
        />
      )}
      {isTuning && <NotificationsDialog onClose={() => setTuning(false)} />}
      {isEditing && <ProfileDialog onClose={() => setEditing(false)} />}
    </>
  );
}

const Face = styled("button")({
  display: "inline-flex",
  border: 0,
  background: "none",
  cursor: "pointer",
  marginLeft: 4,
  padding: 3,
  borderRadius: "50%",
  "&:focus-visible": { outlineOffset: -1 },
  [media.coarse]: { marginLeft: 0, padding: 7 },
});
