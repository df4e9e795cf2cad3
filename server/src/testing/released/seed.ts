import { defaultSchedules } from "@prosa/contract";
import pg from "pg";
import { hashPassword } from "#server/platform/auth/index.ts";

/** A schema that landed, of which a dump with data is kept. */
export interface ReleasedSchema {
  /** Name of its last migration. */
  readonly migration: string;
  /** Rows that this schema can hold and the ones before could not; for one company. */
  readonly additions: (companyId: number) => string;
}

/** Password of everybody in the dumps. */
export const PASSWORD = "prosa123";
/** Of each company: contacts, and as many conversations; a third of them waits, is open, is closed. */
export const CONVERSATIONS = 9;
export const MESSAGES_EACH = 5;

/** The schemas in their order. Later ones hold the rows of those before, which their migrations went over, as in a real installation. */
export const releasedSchemas: readonly ReleasedSchema[] = [
  { migration: "0017_ticket_bulks_and_schedules", additions: () => "" },
  { migration: "0042_schedule_requests", additions: assistantsAndChats },
  { migration: "0059_contact_list_imports", additions: campaigns },
  { migration: "0079_campaign_passes", additions: knowledgeAndKeys },
  { migration: "0095_dialogflow_location", additions: () => "" },
];

/** The company that was made under a schema, with the address of its admin. */
export function companyOf(schema: string): { name: string; email: string } {
  const number = schema.slice(0, 4);
  return { name: `Loja ${number}`, email: `ana.${number}@example.com` };
}

/** The statement that makes a company with all that every schema since the first could hold. Its id is the result. */
export async function companySql(schema: string): Promise<string> {
  const { name, email } = companyOf(schema);
  const text = pg.escapeLiteral;
  const seller = text(email.replace("ana", "bia"));
  const hash = text(await hashPassword(PASSWORD));
  const week = text(JSON.stringify(defaultSchedules));
  return `
do $seed$
declare company int; line int; first_queue int; second_queue int; ana int; bia int; tag int; product int; person int; talk int; said bigint; digits text; at timestamptz;
begin
  insert into plans (name, users, connections, queues, value, flags) values (${text(`Plano ${name}`)}, 50, 5, 10, 99.90,
    '{"useCampaigns": true, "useSchedules": true, "useInternalChat": true, "useExternalApi": true, "useKanban": true, "useOpenAi": true, "useIntegrations": true}')
    returning id into company;
  insert into companies (name, email, phone, plan_id, due_date, schedules)
    values (${text(name)}, ${text(email)}, '551130000000', company, '2099-12-31', ${week}) returning id into company;
  insert into settings (company_id, key, value) values (company, 'userRating', 'enabled'), (company, 'scheduleType', 'queue');
  insert into queues (company_id, name, color, greeting_message, schedules)
    values (company, 'Vendas', '#3b82f6', 'Olá {{firstName}}, é com a gente.', ${week}) returning id into first_queue;
  insert into queues (company_id, name, color, order_queue, schedules)
    values (company, 'Suporte', '#16a34a', 1, ${week}) returning id into second_queue;
  insert into queue_options (company_id, queue_id, title, message, option)
    values (company, first_queue, 'Preços', 'A tabela está no site.', '1'), (company, first_queue, 'Endereço', 'Rua das Flores, 12', '2');
  insert into connections (company_id, name, wanted, is_default) values (company, 'Loja', 'down', true) returning id into line;
  insert into connection_queues (company_id, connection_id, queue_id, position) values (company, line, first_queue, 0), (company, line, second_queue, 1);
  insert into users (company_id, name, email, password_hash, profile) values (company, 'Ana', ${text(email)}, ${hash}, 'admin') returning id into ana;
  insert into users (company_id, name, email, password_hash, connection_id) values (company, 'Bia', ${seller}, ${hash}, line) returning id into bia;
  insert into user_queues (company_id, user_id, queue_id) values (company, ana, first_queue), (company, ana, second_queue), (company, bia, first_queue);
  insert into tags (company_id, name, color) values (company, 'VIP', '#eab308');
  insert into tags (company_id, name, color, kanban) values (company, 'Orçamento', '#ef4444', 1) returning id into tag;
  insert into products (company_id, name, type) values (company, 'Açaí 500 ml', 'Bebida') returning id into product;
  insert into quick_messages (company_id, user_id, shortcode, message, geral) values (company, ana, 'bomdia', 'Bom dia, {{firstName}}!', true), (company, bia, 'pix', 'A chave é o CNPJ.', false);

  for i in 1..${CONVERSATIONS} loop
    digits := '55119' || lpad((company * 1000 + i)::text, 8, '8');
    at := timestamptz '2026-10-01 12:00Z' + i * interval '1 day';
    insert into contacts (company_id, name, number, email, extra_info)
      values (company, 'Cliente ' || i || ' Conceição', digits, 'c' || i || '@example.com', '[{"name": "CPF", "value": "000"}]') returning id into person;
    insert into contact_identifiers (company_id, connection_id, kind, value, contact_id) values (company, line, 'phone', digits, person);
    insert into tickets (company_id, connection_id, contact_id, status, user_id, queue_id, last_message, last_message_at, unread_messages)
      values (company, line, person, (array['pending', 'open', 'closed'])[1 + i % 3], case i % 3 when 0 then null else bia end, first_queue,
        'mensagem ${MESSAGES_EACH}', at + interval '${MESSAGES_EACH} minutes', case i % 3 when 0 then 2 else 0 end) returning id into talk;
    insert into episodes (company_id, ticket_id, protocol, queued_at, started_at, finished_at, user_id, queue_id, rating)
      values (company, talk, 'P' || talk, at, at, case i % 3 when 2 then at + interval '30 minutes' end, case i % 3 when 0 then null else bia end, first_queue,
        case i % 3 when 2 then 3 end) returning id into said;
    update tickets set episode_id = said where id = talk;
    insert into ticket_tags (company_id, ticket_id, tag_id) values (company, talk, tag);
    insert into ticket_products (company_id, ticket_id, product_id) values (company, talk, product);
    insert into ticket_notes (company_id, ticket_id, contact_id, user_id, note) values (company, talk, person, bia, 'Prefere a manhã');
    for j in 1..${MESSAGES_EACH} loop
      insert into messages (company_id, ticket_id, contact_id, connection_id, queue_id, user_id, wa_id, from_me, ack, is_read, body, sent_at)
        values (company, talk, person, line, first_queue, case j % 2 when 0 then bia end, '3A' || talk || 'X' || j, j % 2 = 0, case j % 2 when 0 then 3 else 0 end, i % 3 > 0,
          case j when 1 then 'Quero açaí e pão, pedido ' || talk else 'mensagem ' || j end, at + j * interval '1 minute') returning id into said;
    end loop;
    insert into message_reactions (company_id, message_id, sender, emoji, at) values (company, said, digits, '👍', at);
    insert into message_edits (company_id, message_id, body) values (company, said, 'antes');
    insert into wa_keys (company_id, connection_id, kind, id, value) values (company, line, 'session', digits, '\\x00ff');
  end loop;
  insert into media (message_id, company_id, state, file_name, mime_type, size) values (said, company, 'failed', 'foto.jpg', 'image/jpeg', 12345);
end $seed$;`;
}

function assistantsAndChats(company: number): string {
  return `
    insert into schedules (company_id, contact_id, user_id, connection_id, body, send_at, client_id)
      select ${company}, id, (select min(id) from users where company_id = ${company}), (select min(id) from connections where company_id = ${company}),
        'Lembrete, {{firstName}}', '2098-01-01', 'agenda-' || id from contacts where company_id = ${company} order by id limit 4;
    insert into prompts (company_id, name, prompt, voice, voice_region, max_tokens, temperature, max_messages, base_url, model, queue_id)
      values (${company}, 'Vendedora', 'Responda com gentileza.', 'texto', '', 300, 1, 10, 'https://models.example.com/v1', 'gpt', (select min(id) from queues where company_id = ${company}));
    insert into queue_integrations (company_id, type, name, project_name, language, url_n8n, typebot_slug, typebot_delay_message, typebot_expires,
        typebot_keyword_finish, typebot_keyword_restart, typebot_restart_message, typebot_unknown_message)
      values (${company}, 'n8n', 'Fluxo', '', 'pt-BR', 'https://n8n.example.com/webhook/1', '', 1000, 0, '', '', '', '');
    insert into chats (company_id, owner_id, title, last_message, updated_at)
      select ${company}, min(id), 'Equipe', 'oi', '2026-10-02' from users where company_id = ${company};
    insert into chat_users (company_id, chat_id, user_id)
      select ${company}, c.id, u.id from chats c, users u where c.company_id = ${company} and u.company_id = ${company};
    insert into chat_messages (company_id, chat_id, sender_id, sender_name, message, created_at)
      select ${company}, id, owner_id, 'Ana', 'oi', '2026-10-02' from chats where company_id = ${company};
    insert into announcements (title, text, priority) values ('Novidade ${company}', 'Agora com agenda', 1);`;
}

function campaigns(company: number): string {
  return `
    insert into contact_lists (company_id, name) values (${company}, 'Clientes');
    insert into contact_list_items (company_id, contact_list_id, name, number, match_number)
      select ${company}, l.id, c.name, c.number, c.number from contact_lists l, contacts c where l.company_id = ${company} and c.company_id = ${company};
    insert into campaigns (company_id, name, status, messages, contact_list_id, completed_at)
      select ${company}, 'Natal', 'FINALIZADA', array['Feliz Natal', '', '', '', ''], id, '2026-10-20' from contact_lists where company_id = ${company};
    insert into campaign_recipients (company_id, campaign_id, position, contact_id, name, number, match_number, state)
      select ${company}, k.id, row_number() over (order by c.id), c.id, c.name, c.number, c.number, 'delivered'
      from campaigns k, contacts c where k.company_id = ${company} and c.company_id = ${company};
    insert into file_lists (company_id, name, message) values (${company}, 'Catálogo', 'Nosso catálogo');
    update queues set wait_warning_minutes = 5, wait_limit_minutes = 15 where company_id = ${company};`;
}

function knowledgeAndKeys(company: number): string {
  return `
    insert into knowledge_sources (company_id, name, kind, body, state, passages, is_for_all, created_at, updated_at)
      values (${company}, 'Troca', 'text', 'Trocamos em sete dias.', 'ready', 1, true, '2026-10-03', '2026-10-03');
    insert into knowledge_passages (company_id, source_id, position, heading, body)
      select ${company}, id, 1, 'Troca', 'Trocamos em sete dias.' from knowledge_sources where company_id = ${company};
    insert into webhooks (company_id, url, description, events, is_active, created_at)
      values (${company}, 'https://hooks.example.com/${company}', 'ERP', array['message.created'], false, '2026-10-03');
    insert into api_keys (id, company_id, user_id, name, beginning, key_hash, profile, scopes, created_at)
      select gen_random_uuid(), ${company}, min(id), 'ERP', 'pk_1', 'hash ${company}', 'admin', array['contacts:read'], '2026-10-03' from users where company_id = ${company};
    insert into opt_outs (company_id, contact_id, number_key, at, source)
      select ${company}, id, number_key, '2026-10-04', 'person' from contacts where company_id = ${company} order by id limit 1;
    insert into invoices (company_id, due_date, detail, value, months, issued_at) values (${company}, '2099-12-31', 'Plano', 99.90, 1, '2026-10-05');`;
}
