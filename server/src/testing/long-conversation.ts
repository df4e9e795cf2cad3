import pg from "pg";
import type { SeededCompany } from "./large-company.ts";

/** A conversation of several years. */
export interface LongConversation {
  readonly ticketId: number;
  readonly uuid: string;
  readonly contact: string;
  readonly lastMessageId: number;
  readonly count: number;
}

/** Storage keys of the files in its messages. */
export interface Files {
  readonly photo: string;
  readonly sound: string;
}

const CONTACT = "Zuleica, que escreve há anos";
const NUMBER = "5511900000000";

/**
 * Finds or writes one open conversation of `count` messages, owned by the company's first user: short and long texts,
 * links, quotes, reactions, pictures with and without dimensions, audio, documents, locations, contact cards, calls,
 * deleted and edited messages, and expired media.
 */
export async function seedLongConversation(
  url: string,
  { companyId, userIds, queueIds }: SeededCompany,
  files: Files,
  count: number,
): Promise<LongConversation> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const known = await findConversation(client, companyId);
    if (known) {
      return known;
    }
    await client.query("begin");
    const ticketId = await openTicket(client, companyId, userIds[0]!, queueIds[0]!);
    await writeMessages(client, companyId, ticketId, count);
    await addMediaAndQuotes(client, ticketId, files);
    await client.query("commit");
    await client.query("vacuum (analyze) messages");
    return (await findConversation(client, companyId))!;
  } finally {
    await client.end();
  }
}

async function findConversation(client: pg.Client, companyId: number): Promise<LongConversation | undefined> {
  const { rows } = await client.query<LongConversation>(
    `select t.id as "ticketId", t.uuid, c.name as contact, count(*)::int as count,
       (array_agg(m.id order by m.sent_at desc, m.id desc))[1]::int as "lastMessageId"
     from contacts c join tickets t on t.contact_id = c.id join messages m on m.ticket_id = t.id
     where c.company_id = $1 and c.number = $2 group by t.id, c.name`,
    [companyId, NUMBER],
  );
  return rows[0];
}

async function openTicket(client: pg.Client, companyId: number, userId: number, queueId: number): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    `with line as (select min(id) as id from connections where company_id = $1),
       contact as (insert into contacts (company_id, name, number) values ($1, $2, $3) returning id),
       known as (
         insert into contact_identifiers (company_id, connection_id, kind, value, contact_id)
         select $1, line.id, 'phone', $3, contact.id from line, contact)
     insert into tickets (company_id, connection_id, contact_id, status, user_id, queue_id, last_message, last_message_at)
     select $1, line.id, contact.id, 'open', $4, $5, 'Até logo!', now() + interval '1 minute' from line, contact
     returning id`,
    [companyId, CONTACT, NUMBER, userId, queueId],
  );
  await client.query(
    `with made as (
       insert into episodes (company_id, ticket_id, protocol, queued_at, started_at, queue_id, user_id)
       select $1, id, 'long', now() - interval '1 hour', now() - interval '1 hour', queue_id, user_id from tickets where id = $2
       returning id)
     update tickets set episode_id = (select id from made) where id = $2`,
    [companyId, rows[0]!.id],
  );
  return rows[0]!.id;
}

/** Of a hundred messages 70 are texts; neighbours of one author within a minute make runs of up to three. */
async function writeMessages(client: pg.Client, companyId: number, ticketId: number, count: number): Promise<void> {
  await client.query(
    `insert into messages (company_id, ticket_id, contact_id, connection_id, queue_id, user_id, wa_id, from_me, ack, is_read,
       media_type, body, data, is_deleted, is_edited, sent_at)
     select $1, t.id, t.contact_id, t.connection_id, t.queue_id, case when v.mine then t.user_id end, 'L' || n, v.mine, 4, true,
       v.kind,
       case v.kind
         when 'chat' then case
           when h % 11 = 0 then 'Veja https://example.com/pedido/' || n
           when h % 7 = 0 then repeat('Uma frase que conta com calma o que aconteceu na entrega. ', 2 + h % 9) || E'\\n' || n
           else rtrim(substr('Bom dia, tudo bem? Queria saber do meu pedido, por favor', 1, 3 + h % 54)) || ' ' || n end
         when 'image' then case when h % 3 = 0 then 'Foto ' || n else '' end
         when 'application' then 'nota-' || n || '.pdf'
         else '' end,
       case v.kind
         when 'locationMessage' then '{"latitude": -23.55, "longitude": -46.63, "name": "Loja"}'::jsonb
         when 'vcard' then '{"cards": [{"name": "Ana", "vcard": "BEGIN:VCARD\\nFN:Ana\\nTEL:+55 11 90000-0001\\nEND:VCARD"}]}'::jsonb
         when 'call_log' then '{"state": "missed"}'::jsonb end,
       v.kind = 'chat' and h % 41 = 0, v.kind = 'chat' and h % 23 = 0,
       date_trunc('second', now()) - make_interval(secs => ($3 - n) * 20 + ($3 - n) / 40 * 5400)
     from tickets t, generate_series(1, $3::int) n,
       lateral (select abs(hashint4(n)) as h) hash,
       lateral (select n / 3 % 2 = 0 as mine, case
         when h % 100 < 70 then 'chat' when h % 100 < 80 then 'image' when h % 100 < 87 then 'audio'
         when h % 100 < 90 then 'application' when h % 100 < 93 then 'sticker' when h % 100 < 95 then 'video'
         when h % 100 < 97 then 'locationMessage' when h % 100 < 99 then 'vcard' else 'call_log' end as kind) v
     where t.id = $2`,
    [companyId, ticketId, count],
  );
}

/** Adds files, quotes and reactions. A sixth of the pictures have no dimensions; all videos are expired. */
async function addMediaAndQuotes(client: pg.Client, ticketId: number, { photo, sound }: Files): Promise<void> {
  await client.query(
    `insert into media (message_id, company_id, state, storage_key, file_name, mime_type, size, width, height, seconds, is_voice)
     select id, company_id, case media_type when 'video' then 'expired' else 'ready' end,
       case media_type when 'video' then null when 'audio' then $3 else $2 end,
       case media_type when 'application' then body end,
       case media_type when 'audio' then 'audio/wav' when 'application' then 'application/pdf' when 'video' then 'video/mp4'
         else 'image/jpeg' end,
       3634, case when media_type in ('image', 'sticker') and id % 6 > 0 then 200 + id % 900 end,
       case when media_type in ('image', 'sticker') and id % 6 > 0 then 200 + id % 700 end,
       case media_type when 'audio' then 1 end, media_type = 'audio'
     from messages where ticket_id = $1 and media_type in ('image', 'audio', 'application', 'sticker', 'video')`,
    [ticketId, photo, sound],
  );
  await client.query(
    `update messages m set quoted_id = q.id, quoted_wa_id = q.wa_id from messages q
     where m.ticket_id = $1 and q.ticket_id = $1 and m.id % 17 = 0 and q.id = m.id - 5`,
    [ticketId],
  );
  await client.query(
    `insert into message_reactions (company_id, message_id, sender, emoji, at)
     select company_id, id, '', '👍', sent_at from messages where ticket_id = $1 and id % 29 = 0`,
    [ticketId],
  );
}
