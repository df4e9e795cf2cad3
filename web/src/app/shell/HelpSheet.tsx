import { styled } from "#web/ui/styled.ts";
import { defineMessages, useMessages } from "#web/lib/text/i18n.ts";
import { fieldKeys, shortcutGroups, shortcuts } from "#web/lib/browser/shortcuts.ts";
import { InfoDialog } from "#web/ui/dialogs/InfoDialog.tsx";
import { Keys } from "#web/ui/Keys.tsx";
import { color, media } from "#web/ui/theme.ts";

/** The list of keyboard shortcuts (`?`). */
export function HelpSheet({ onClose }: { readonly onClose: () => void }) {
  const t = useMessages(messages);
  const groups = [
    ...shortcutGroups.map(({ group, names }) => ({
      group,
      keys: names.map((name) => ({ name, key: shortcuts[name] })),
    })),
    {
      group: "writing" as const,
      keys: (["send", "newLine", "cancel"] as const).map((name) => ({ name, key: fieldKeys[name] })),
    },
  ];
  return (
    <InfoDialog title={t("title")} onClose={onClose}>
      <Groups>
        {groups.map(({ group, keys }) => (
          <section key={group} aria-labelledby={`help-${group}`}>
            <h3 id={`help-${group}`}>{t(group)}</h3>
            <dl>
              {keys.map(({ name, key }) => (
                <div key={name}>
                  <dt>{t(name)}</dt>
                  <dd>
                    <Keys keys={key} isRead />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </Groups>
    </InfoDialog>
  );
}

const Groups = styled("div")({
  display: "grid",
  gridTemplateColumns: "1fr 1fr",
  gap: "20px 28px",
  [media.phone]: { gridTemplateColumns: "1fr" },
  "& h3": { margin: "0 0 6px", fontSize: 12, fontWeight: 600, color: color.ink2 },
  "& dl": { margin: 0 },
  "& dl > div": {
    display: "flex",
    alignItems: "center",
    justifyContent: "space-between",
    gap: 12,
    minHeight: 30,
    fontSize: 13,
    borderTop: `1px solid ${color.line}`,
  },
  "& dd": { margin: 0 },
});

const messages = defineMessages({
  pt: {
    title: "Teclas de atalho",
    everywhere: "Em qualquer tela",
    list: "Na lista de conversas",
    conversation: "Na conversa escolhida na lista",
    writing: "Ao escrever",
    commands: "Buscar em tudo",
    help: "Mostrar estas teclas",
    search: "Pesquisar na lista",
    next: "Próxima conversa",
    previous: "Conversa anterior",
    choose: "Selecionar (com Shift, várias)",
    accept: "Aceitar",
    return: "Devolver à fila",
    transfer: "Transferir",
    resolve: "Resolver",
    reopen: "Reabrir",
    tags: "Etiquetar",
    note: "Escrever nota",
    undo: "Desfazer o que o aviso oferece",
    send: "Enviar",
    newLine: "Nova linha",
    cancel: "Cancelar resposta ou edição; voltar à lista",
  },
  en: {
    title: "Keyboard shortcuts",
    everywhere: "Everywhere",
    list: "In the list of conversations",
    conversation: "On the conversation chosen in the list",
    writing: "While writing",
    commands: "Find anything",
    help: "Show these keys",
    search: "Search the list",
    next: "Next conversation",
    previous: "Previous conversation",
    choose: "Select (with Shift, several)",
    accept: "Accept",
    return: "Return to the queue",
    transfer: "Transfer",
    resolve: "Resolve",
    reopen: "Reopen",
    tags: "Tag",
    note: "Write a note",
    undo: "Undo what the notice offers",
    send: "Send",
    newLine: "New line",
    cancel: "Cancel reply or edit; back to the list",
  },
  es: {
    title: "Atajos de teclado",
    everywhere: "En cualquier pantalla",
    list: "En la lista de conversaciones",
    conversation: "En la conversación elegida en la lista",
    writing: "Al escribir",
    commands: "Buscar en todo",
    help: "Mostrar estas teclas",
    search: "Buscar en la lista",
    next: "Conversación siguiente",
    previous: "Conversación anterior",
    choose: "Seleccionar (con Shift, varias)",
    accept: "Aceptar",
    return: "Devolver a la cola",
    transfer: "Transferir",
    resolve: "Resolver",
    reopen: "Reabrir",
    tags: "Etiquetar",
    note: "Escribir una nota",
    undo: "Deshacer lo que ofrece el aviso",
    send: "Enviar",
    newLine: "Línea nueva",
    cancel: "Cancelar respuesta o edición; volver a la lista",
  },
});
