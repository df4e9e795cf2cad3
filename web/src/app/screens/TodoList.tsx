import { Check, ListTodo, Pencil, Plus, Trash2, X } from "lucide-react";
import { useState, type FormEvent } from "react";
import { isLeaveKey } from "#web/lib/browser/field-keys.ts";
import { defineMessages, useMessages } from "#web/lib/text/i18n.ts";
import { useUser } from "#web/lib/session/session.ts";
import { Button } from "#web/ui/Button.tsx";
import { Input } from "#web/ui/fields/Field.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { EmptyState } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { toast } from "#web/ui/Toast.tsx";
import { addTask, changeTask, insertTask, removeTask, updateTasks, useTasks } from "./todoTasks.ts";

/** /todolist: the user's own task list, kept in this browser (S-09). */
export function TodoList() {
  const t = useMessages(messages);
  const { id } = useUser();
  const tasks = useTasks(id);
  const [text, setText] = useState("");
  const [editing, setEditing] = useState<Editing>();

  const add = (event: FormEvent) => {
    event.preventDefault();
    updateTasks(id, (now) => addTask(now, text));
    setText("");
  };
  const remove = (task: string, at: number) => {
    updateTasks(id, (now) => removeTask(now, at));
    setEditing(undefined);
    const undo = () => {
      updateTasks(id, (now) => insertTask(now, at, task));
      // what is being edited moves down
      setEditing((now) => now && { ...now, at: now.at < at ? now.at : now.at + 1 });
    };
    toast.success(t("deleted"), { label: t("undo"), run: undo });
  };

  return (
    <Screen aria-label={t("title")}>
      <Head>
        <h1>{t("title")}</h1>
        <p>{t("hint")}</p>
        <form onSubmit={add}>
          <Input
            aria-label={t("newTask")}
            placeholder={t("newTask")}
            value={text}
            maxLength={500}
            onChange={({ target }) => setText(target.value)}
          />
          <Button kind="primary" type="submit" icon={<Plus size={16} />}>
            {t("add")}
          </Button>
        </form>
      </Head>
      {tasks.length === 0 ? (
        <EmptyState icon={<ListTodo />} title={t("empty")} text={t("emptyText")} />
      ) : (
        <ul>
          {tasks.map((task, at) => (
            // the index identifies a task: two may have the same text
            <li key={`${at} ${task}`}>
              {editing?.at === at ? (
                <EditTask
                  task={task}
                  text={editing.text}
                  onText={(changed) => setEditing({ at, text: changed })}
                  onSave={() => {
                    updateTasks(id, (now) => changeTask(now, at, editing.text));
                    setEditing(undefined);
                  }}
                  onCancel={() => setEditing(undefined)}
                />
              ) : (
                <>
                  <span>{task}</span>
                  <IconButton label={t("edit", { task })} onClick={() => setEditing({ at, text: task })}>
                    <Pencil />
                  </IconButton>
                  <IconButton label={t("delete", { task })} onClick={() => remove(task, at)}>
                    <Trash2 />
                  </IconButton>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
    </Screen>
  );
}

/** The task that is being edited, by its place, and its text so far. */
interface Editing {
  readonly at: number;
  readonly text: string;
}

function EditTask(props: {
  readonly task: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onSave: () => void;
  readonly onCancel: () => void;
}) {
  const t = useMessages(messages);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        props.onSave();
      }}
      onKeyDown={(event) => isLeaveKey(event) && props.onCancel()}
    >
      <Input
        aria-label={t("edit", { task: props.task })}
        value={props.text}
        maxLength={500}
        autoFocus
        onChange={({ target }) => props.onText(target.value)}
      />
      <IconButton label={t("save")} type="submit">
        <Check />
      </IconButton>
      <IconButton label={t("cancel")} onClick={props.onCancel}>
        <X />
      </IconButton>
    </form>
  );
}

const Screen = styled("section")({
  height: "100%",
  overflow: "auto",
  backgroundColor: color.panel,
  "& > ul": { listStyle: "none", maxWidth: 720, margin: "0 auto", padding: "8px 12px 40px" },
  "& li": {
    display: "flex",
    alignItems: "center",
    gap: 4,
    minHeight: 48,
    borderBottom: `1px solid ${color.line}`,
  },
  "& li > span": { flex: 1, minWidth: 0, overflowWrap: "anywhere", padding: "8px 8px 8px 4px" },
  "& li > form": { flex: 1, display: "flex", alignItems: "center", gap: 4 },
});
const Head = styled("header")({
  display: "flex",
  flexDirection: "column",
  gap: 4,
  maxWidth: 720,
  margin: "0 auto",
  padding: "24px 16px 8px",
  "& h1": { fontSize: 18, fontWeight: 600, letterSpacing: "-0.01em" },
  "& p": { fontSize: 13, color: color.ink2 },
  "& form": { display: "flex", gap: 8, marginTop: 12 },
});

const messages = defineMessages({
  pt: {
    title: "Lista de tarefas",
    hint: "Só sua, guardada neste navegador.",
    newTask: "Nova tarefa",
    add: "Adicionar",
    edit: "Editar “{task}”",
    delete: "Excluir “{task}”",
    save: "Salvar",
    cancel: "Cancelar",
    deleted: "Tarefa excluída",
    undo: "Desfazer",
    empty: "Nada a fazer",
    emptyText: "Anote aqui o que não pode esquecer: um retorno, um orçamento, uma cobrança.",
  },
  en: {
    title: "To-do list",
    hint: "Yours alone, kept in this browser.",
    newTask: "New task",
    add: "Add",
    edit: "Edit “{task}”",
    delete: "Delete “{task}”",
    save: "Save",
    cancel: "Cancel",
    deleted: "Task deleted",
    undo: "Undo",
    empty: "Nothing to do",
    emptyText: "Write down what must not be forgotten: a call back, a quote, a reminder.",
  },
  es: {
    title: "Lista de tareas",
    hint: "Solo suya, guardada en este navegador.",
    newTask: "Nueva tarea",
    add: "Agregar",
    edit: "Editar “{task}”",
    delete: "Eliminar “{task}”",
    save: "Guardar",
    cancel: "Cancelar",
    deleted: "Tarea eliminada",
    undo: "Deshacer",
    empty: "Nada que hacer",
    emptyText: "Anote aquí lo que no debe olvidar: una llamada, un presupuesto, un cobro.",
  },
});
