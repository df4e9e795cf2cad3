import { push } from "@prosa/contract/devices";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { defineMessages, useMessages } from "#web/lib/text/i18n.ts";
import { call, useUser } from "#web/lib/session/session.ts";
import { muted } from "#web/lib/session/userList.ts";
import { Button } from "#web/ui/Button.tsx";
import { SwitchField } from "#web/ui/fields/Field.tsx";
import { InfoDialog } from "#web/ui/dialogs/InfoDialog.tsx";
import { styled } from "#web/ui/styled.ts";
import { toast } from "#web/ui/Toast.tsx";
import { color } from "#web/ui/theme.ts";
import { askPermission, usePermission } from "./browserNotification.ts";
import { chime } from "./chime.ts";
import { deviceState, turnOff, turnOn } from "./pushDevice.ts";

const stateKey = ["devices", "here"] as const;

/** How this browser rings: sound and notices while it is open, pushes while it is closed, and a test of it. */
export function NotificationsDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useMessages(messages);
  const user = useUser();
  const isSilent = muted.useHas(user.id);
  const permission = usePermission();
  const queryClient = useQueryClient();
  const { data: device } = useQuery({ queryKey: stateKey, queryFn: () => deviceState(user.id), staleTime: 0 });
  const turn = useMutation({
    mutationFn: (isOn: boolean) => (isOn ? turnOn(user.id) : turnOff(user.id)),
    onSuccess: (state) => queryClient.setQueryData(stateKey, state),
    onError: () => toast.error(t("pushFailed")),
  });
  const test = useMutation({
    mutationFn: () => call(push.test),
    onSuccess: ({ devices }) => toast.success(t("testSent", { count: devices })),
    onError: (error) => toast.failure(error),
  });

  return (
    <InfoDialog
      title={t("title")}
      width="xs"
      onClose={onClose}
      actions={
        <Button isBusy={test.isPending} disabled={device !== "on"} onClick={() => test.mutate()}>
          {t("test")}
        </Button>
      }
    >
      <SwitchField
        label={t("ring")}
        hint={t("ringHint")}
        checked={!isSilent}
        onChange={(event) => {
          muted.set(user.id, !event.target.checked);
          if (event.target.checked) {
            chime();
          }
        }}
      />
      <Said role="status">{t(`permission_${permission}`)}</Said>
      {permission === "default" && <Button onClick={() => void askPermission()}>{t("allow")}</Button>}
      <SwitchField
        label={t("push")}
        hint={t(device === "denied" ? "pushDenied" : device === "unsupported" ? "pushUnsupported" : "pushHint")}
        checked={device === "on"}
        disabled={device === undefined || device === "denied" || device === "unsupported" || turn.isPending}
        onChange={(event) => turn.mutate(event.target.checked)}
      />
    </InfoDialog>
  );
}

const Said = styled("p")({ fontSize: 13, color: color.ink2 });

const messages = defineMessages({
  pt: {
    title: "Notificações",
    ring: "Som e avisos neste navegador",
    ringHint: "Para mensagens novas das suas conversas e das que ainda não têm atendente.",
    permission_default: "O navegador ainda não tem permissão para mostrar avisos.",
    permission_granted: "O navegador pode mostrar avisos.",
    permission_denied: "O navegador bloqueia os avisos. Libere nas configurações do site.",
    permission_unsupported: "Este navegador não mostra avisos; o som continua.",
    allow: "Permitir avisos",
    push: "Avisar com o navegador fechado",
    pushHint: "Este aparelho recebe as mensagens enquanto você estiver conectado à sua conta.",
    pushDenied: "Bloqueado nas configurações do navegador.",
    pushUnsupported: "Não disponível neste navegador. No iPhone, instale o aplicativo na tela de início.",
    pushFailed: "Não foi possível ativar. Verifique a internet e tente de novo.",
    test: "Enviar um teste",
    testSent: { one: "Teste enviado a {count} aparelho", other: "Teste enviado a {count} aparelhos" },
  },
  en: {
    title: "Notifications",
    ring: "Sound and notifications in this browser",
    ringHint: "For new messages in your conversations and in those without an agent yet.",
    permission_default: "The browser does not have permission to show notifications yet.",
    permission_granted: "The browser can show notifications.",
    permission_denied: "The browser blocks notifications. Allow them in the site's settings.",
    permission_unsupported: "This browser cannot show notifications; the sound still works.",
    allow: "Allow notifications",
    push: "Notify me while the browser is closed",
    pushHint: "This device gets your messages while you are signed in.",
    pushDenied: "Blocked in the browser's settings.",
    pushUnsupported: "Not available in this browser. On an iPhone, add the app to the home screen first.",
    pushFailed: "It could not be turned on. Check your internet and try again.",
    test: "Send a test",
    testSent: { one: "Test sent to {count} device", other: "Test sent to {count} devices" },
  },
  es: {
    title: "Notificaciones",
    ring: "Sonido y notificaciones en este navegador",
    ringHint: "Para mensajes nuevos de sus conversaciones y de las que aún no tienen agente.",
    permission_default: "El navegador aún no tiene permiso para mostrar notificaciones.",
    permission_granted: "El navegador puede mostrar notificaciones.",
    permission_denied: "El navegador bloquea las notificaciones. Permítalas en la configuración del sitio.",
    permission_unsupported: "Este navegador no muestra notificaciones; el sonido sigue funcionando.",
    allow: "Permitir notificaciones",
    push: "Notificar con el navegador cerrado",
    pushHint: "Este dispositivo recibe los mensajes mientras su sesión esté abierta.",
    pushDenied: "Bloqueado en la configuración del navegador.",
    pushUnsupported:
      "No disponible en este navegador. En un iPhone, agregue primero la aplicación a la pantalla de inicio.",
    pushFailed: "No se pudo activar. Revise su internet e inténtelo de nuevo.",
    test: "Enviar una prueba",
    testSent: { one: "Prueba enviada a {count} dispositivo", other: "Prueba enviada a {count} dispositivos" },
  },
});
