import pg from "pg";
import { messageText, vocabulary } from "./vocabulary.ts";

/** Size of a company that has been in use for years. */
export interface LargeCompany {
  readonly name: string;
  readonly contacts: number;
  readonly tickets: number;
  readonly messages: number;
  readonly users: number;
}

export interface SeededCompany {
  readonly name: string;
  readonly companyId: number;
  readonly queueIds: readonly number[];
  readonly tagIds: readonly number[];
  readonly userIds: readonly number[];
}

const QUEUES = 8;
const TAGS = 40;
/** Tag n of the company is on every `n * 5`th ticket; the last one only on tickets that are closed. */
const TAG_STEP = 5;
/** Contacts with a profile picture, of ten. */
const PICTURES = 6;
/** One ticket in this many has a long conversation; the others are short. */
const LONG_EVERY = 25;
const SHORT = 5;

/**
 * Writes a large company row by row in bulk, as the owner of the database (past row-level security): 10 percent of the
 * tickets are open, 10 wait, a third of those open without a queue; each has one episode, with the attendant who had it and in
 * every fourth closed one a rating. Tags have a long tail: the first is on a fifth of the tickets, the last on half a percent, all of them
 * closed. Six of ten contacts have a picture. The first user is an admin with the password hash given, the others are agents of two
 * queues each.
 */
export async function seedLargeCompany(url: string, about: LargeCompany, passwordHash: string): Promise<SeededCompany> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("set synchronous_commit = off");
    return await seed(client, about, passwordHash);
  } finally {
    await client.end();
  }
}

async function seed(client: pg.Client, about: LargeCompany, passwordHash: string): Promise<SeededCompany> {
  const { name, contacts, tickets, messages, users } = about;
  const ids = async (text: string, values: unknown[]) => {
    const { rows } = await client.query<{ id: number }>(text, values);
    return rows.map(({ id }) => id);
  };
  const [companyId = 0] = await ids("insert into companies (name) values ($1) returning id", [name]);
  const queueIds = await ids(
    `insert into queues (company_id, name, color, schedules)
     select $1, 'Queue ' || n, '#' || lpad(to_hex(n), 6, '0'), '[]' from generate_series(1, ${QUEUES}) n returning id`,
    [companyId],
  );
  const tagIds = await ids(
    `insert into tags (company_id, name, color) select $1, 'Tag ' || n, '#112233' from generate_series(1, ${TAGS}) n returning id`,
    [companyId],
  );
  const userIds = await ids(
    `insert into users (company_id, name, email, password_hash, profile)
     select $1, 'User ' || n, $2 || n || '@example.com', $3, case when n = 1 then 'admin' else 'user' end
     from generate_series(1, $4::int) n returning id`,
    [companyId, name, passwordHash, users],
  );
  await client.query(
    `insert into user_queues (company_id, user_id, queue_id)
     select $1, u, q from unnest($2::int[]) with ordinality users(u, n), unnest($3::int[]) with ordinality queues(q, m)
     where n > 1 and m in (n % ${QUEUES} + 1, (n + 1) % ${QUEUES} + 1)`,
    [companyId, userIds, queueIds],
  );
  // Several lines, because a contact has one ticket on each.
  const connectionIds = await ids(
    `insert into connections (company_id, name, status, wanted, is_default)
     select $1, 'Line ' || n, 'DISCONNECTED', 'down', n = 1 from generate_series(1, $2::int) n returning id`,
    [companyId, Math.ceil(tickets / contacts)],
  );
  const contactIds = await ids(
    `insert into contacts (company_id, name, number, picture_path)
     select $1, (array['Ana','Bruno','Carla','Davi','Elisa','Fábio','Gabriela','Hugo','Inês','João'])[n % 10 + 1] || ' ' ||
       (array['Almeida','Barros','Cardoso','Dias','Esteves','Farias','Gomes'])[n / 10 % 7 + 1] || ' ' || n,
       '55119' || (80000000 + n),
       case when n % 10 < ${PICTURES} then 'company/' || $1::int || '/pictures/' || md5(n::text) || '.jpg' end
     from generate_series(1, $2::int) n returning id`,
    [companyId, contacts],
  );
  await client.query(
    `insert into contact_identifiers (company_id, connection_id, kind, value, contact_id)
     select $1, l, 'phone', c.number, c.id from contacts c, unnest($2::int[]) l where c.company_id = $1`,
    [companyId, connectionIds],
  );
  await client.query(
    `insert into tickets (company_id, connection_id, contact_id, status, user_id, queue_id, last_message, last_message_at,
       waiting_since, unread_messages, created_at, updated_at)
     select $1, l, c, s.status, case when s.status = 'open' then ($5::int[])[n / 10 % cardinality($5::int[]) + 1] end,
       case when n % 30 = 0 then null else ($6::int[])[n / 3 % ${QUEUES} + 1] end, 'The last of the messages ' || n, at,
       case when s.status = 'pending' then at end, 0, at, at
     from (select row_number() over () as n, l, c from unnest($3::int[]) l, unnest($4::int[]) c limit $2) pairs,
       lateral (select case n % 10 when 0 then 'open' when 1 then 'pending' else 'closed' end as status,
         date_trunc('second', now() - make_interval(secs => n * 37 % 7776000)) as at) s`,
    [companyId, tickets, connectionIds, contactIds, userIds, queueIds],
  );
  await client.query(
    `with made as (
       insert into episodes (company_id, ticket_id, protocol, queued_at, started_at, finished_at, queue_id, user_id, rating)
       select company_id, id, 'P' || id, created_at - interval '1 hour',
         case when status <> 'pending' then created_at - make_interval(mins => id % 50) end,
         case when status = 'closed' then last_message_at end, queue_id,
         case when status <> 'pending' then coalesce(user_id, ($2::int[])[id % cardinality($2::int[]) + 1]) end,
         case when status = 'closed' and id % 4 = 0 then id % 3 + 1 end
       from tickets where company_id = $1 returning id, ticket_id)
     update tickets t set episode_id = made.id from made where t.id = made.ticket_id`,
    [companyId, userIds],
  );
  await client.query(
    `insert into ticket_tags (company_id, ticket_id, tag_id)
     select $1, t.id, tag_id
     from (select id, status, row_number() over (order by id) as n from tickets where company_id = $1) t
     cross join unnest($2::int[]) with ordinality tags(tag_id, k)
     where (hashint8extended(t.n, k) & 1048575) % (k * ${TAG_STEP}) = 0 and (k < ${TAGS} or t.status = 'closed')`,
    [companyId, tagIds],
  );
  await client.query("create temp table vocabulary (n int primary key, word text)");
  await client.query("insert into vocabulary select n, word from unnest($1::text[]) with ordinality v(word, n)", [
    vocabulary(),
  ]);
  await client.query("analyze vocabulary");
  const { rows: indexes } = await client.query<{ definition: string }>(
    `select indexdef as definition from pg_indexes
     where indexname in ('message_texts_search', 'message_texts_words') order by indexname`,
  );
  await client.query("alter table messages disable trigger message_text_new");
  await client.query("drop index message_texts_search, message_texts_words");
  const long = Math.max(SHORT, Math.round(LONG_EVERY * (messages / tickets) - (LONG_EVERY - 1) * SHORT));
  await client.query(
    `insert into messages (company_id, ticket_id, contact_id, connection_id, queue_id, wa_id, from_me, ack, is_read, body, sent_at)
     select $1, t.id, t.contact_id, t.connection_id, t.queue_id, 'S' || t.id || '-' || k, k % 2 = 0, 3, true,
       ${messageText()},
       t.last_message_at - make_interval(mins => c.count - k)
     from (select *, row_number() over (order by id) as n from tickets where company_id = $1) t,
       lateral (select case when n % ${LONG_EVERY} = 0 then $2::int else ${SHORT} end as count) c,
       generate_series(1, c.count) k`,
    [companyId, long],
  );
  await client.query("drop table vocabulary");
  // The work of the trigger and the index in bulk: row by row it takes longer than everything else.
  await client.query("alter table messages enable trigger message_text_new");
  await client.query(
    `insert into message_texts (company_id, ticket_id, message_id, text)
     select company_id, ticket_id, id, folded(body) from messages where company_id = $1 order by id`,
    [companyId],
  );
  await client.query(
    `insert into message_words (company_id, key, word)
     select $1, word_key($1, word), word
     from (select distinct w.word from message_texts x, words_of(x.text) w (word) where x.company_id = $1) w`,
    [companyId],
  );
  for (const { definition } of indexes) {
    await client.query(definition);
  }
  await client.query("vacuum (analyze)");
  return { name, companyId, queueIds, tagIds, userIds };
}
