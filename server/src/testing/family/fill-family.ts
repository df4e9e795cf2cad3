import pg from "pg";
import { familySchema } from "./family-schema.ts";

export interface FamilySize {
  readonly contacts: number;
  readonly messages: number;
}

/** Makes a company of the family with this many contacts and messages, spread over a year. The database must be empty. */
export async function fillFamily(url: string, { contacts, messages }: FamilySize): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(familySchema);
    await client.query(`
      insert into "Plans" values (1, 'Pro', 20, 5, 10, 197.5, true, true, false, true, now(), now());
      insert into "Companies" values (1, 'Casa Grande', '5511999990000', 'casa@example.com', true, '2027-01-31', 'MENSAL', '[]', 1, '2025-01-02', now());
      insert into "Whatsapps" (id, name, status, "isDefault", "greetingMessage", "expiresTicket", "companyId", "createdAt")
        values (1, 'Vendas', 'CONNECTED', true, 'Olá!', 24, 1, '2025-01-02'), (2, 'Suporte', 'CONNECTED', false, '', 0, 1, '2025-01-02');
      insert into "Queues" (id, name, color, "companyId", "createdAt") values (1, 'Comercial', '#ff0000', 1, '2025-01-02'), (2, 'Técnico', '#00ff00', 1, '2025-01-02');`);
    await client.query(
      `insert into "Users" (id, name, email, "passwordHash", profile, "companyId", "createdAt")
       select n, 'Atendente ' || n, 'atendente' || n || '@example.com', '$2a$08$' || repeat('a', 53), 'user', 1, '2025-01-02'
       from generate_series(1, 12) n`,
    );
    await client.query(
      `insert into "Contacts" (id, name, number, "companyId", "createdAt", "updatedAt")
       select n, 'Cliente ' || n || ' ' || (array['Silva','Souza','Oliveira','Santos','Pereira','Costa'])[1 + n % 6],
         '5511' || (900000000 + n), 1, '2025-01-02', '2025-01-02' from generate_series(1, $1) n`,
      [contacts],
    );
    // three times a contact was served, the last one may still be going on
    await client.query(
      `insert into "Tickets" (id, status, "unreadMessages", "lastMessage", "isGroup", uuid, "userId", "contactId", "whatsappId", "queueId", "companyId", "createdAt", "updatedAt")
       select n, case when n > $1::int * 2 and n % 10 = 0 then 'open' else 'closed' end, 0, '', false, gen_random_uuid(), 1 + n % 12, 1 + n % $1::int,
         1 + (n % $1::int) % 2, 1 + n % 2, 1,
         timestamptz '2025-01-02' + (n * 365.0 * 86400 / ($1::int * 3)) * interval '1 second',
         timestamptz '2025-01-02' + ((n * 365.0 / ($1::int * 3)) * 86400 + 7200) * interval '1 second'
       from generate_series(1, $1::int * 3) n`,
      [contacts],
    );
    await client.query(
      `insert into "Messages" (id, ack, read, "fromMe", body, "mediaType", "quotedMsgId", "ticketId", "contactId", "queueId", "companyId", "createdAt", "updatedAt")
       select '3EB0' || lpad(to_hex(n), 16, '0'), 3, true, n % 2 = 0,
         (select string_agg((array['bom','dia','gostaria','de','saber','sobre','o','pedido','numero','que','fiz','ontem','obrigado','aguardo','retorno','boleto','entrega','produto','valor','prazo','envio','loja','cliente','nota','fiscal','endereço','confirmar','pagamento','cartão','pix'])[1 + (n * 31 + k * 17 + (n % (k + 3))) % 30], ' ')
            from generate_series(1, 4 + n % 12) k) || case when n % 10 = 0 then ' ' || n else '' end,
         'conversation', case when n % 50 = 0 and n > 50 then '3EB0' || lpad(to_hex(n - ($2::int * 3)), 16, '0') end,
         1 + n % ($2::int * 3), 1 + (1 + n % ($2::int * 3)) % $2::int, 1, 1,
         timestamptz '2025-01-02' + n * (365.0 * 86400 / $1) * interval '1 second', now()
       from generate_series(1, $1::int) n`,
      [messages, contacts],
    );
    await client.query(`select setval(pg_get_serial_sequence('"Contacts"', 'id'), max(id)) from "Contacts"`);
    await client.query("analyze");
  } finally {
    await client.end();
  }
}
