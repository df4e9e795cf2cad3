/**
 * The tables of the Whaticket family as far as a move reads them, written for our tests from what its versions have in common: names as
 * Sequelize writes them, and times with a zone.
 */
export const familySchema = `
  create table "Plans" (id serial primary key, name varchar(255) not null, users int, connections int, queues int, value float,
    "useCampaigns" boolean, "useSchedules" boolean, "useKanban" boolean, "isPublic" boolean, "createdAt" timestamptz, "updatedAt" timestamptz);
  create table "Companies" (id serial primary key, name varchar(255) not null, phone varchar(255), email varchar(255), status boolean,
    "dueDate" timestamptz, recurrence varchar(255), schedules jsonb default '[]', "planId" int references "Plans", "createdAt" timestamptz, "updatedAt" timestamptz);
  create table "Whatsapps" (id serial primary key, name varchar(255), session text, qrcode text, status varchar(255), "isDefault" boolean,
    "greetingMessage" text, "complationMessage" text, "outOfHoursMessage" text, "ratingMessage" text, provider text, token text, channel varchar(255),
    "expiresTicket" int, "companyId" int references "Companies", "createdAt" timestamptz, "updatedAt" timestamptz);
  create table "Users" (id serial primary key, name varchar(255), email varchar(255), "passwordHash" varchar(255), profile varchar(255), super boolean,
    "allTicket" varchar(255), "tokenVersion" int default 0, "whatsappId" int, "companyId" int references "Companies", "createdAt" timestamptz, "updatedAt" timestamptz);
  create table "Queues" (id serial primary key, name varchar(255), color varchar(255), "greetingMessage" text, "outOfHoursMessage" text,
    schedules jsonb default '[]', "orderQueue" int, "companyId" int references "Companies", "createdAt" timestamptz, "updatedAt" timestamptz);
  create table "QueueOptions" (id serial primary key, title varchar(255), message text, option text, "queueId" int references "Queues",
    "parentId" int references "QueueOptions", "mediaPath" text, "mediaName" text, "createdAt" timestamptz, "updatedAt" timestamptz);
  create table "UserQueues" ("userId" int, "queueId" int, "createdAt" timestamptz, "updatedAt" timestamptz, primary key ("userId", "queueId"));
  create table "WhatsappQueues" ("whatsappId" int, "queueId" int, "createdAt" timestamptz, "updatedAt" timestamptz, primary key ("whatsappId", "queueId"));
  create table "Settings" (key varchar(255), value text, "companyId" int references "Companies", "createdAt" timestamptz, "updatedAt" timestamptz);
  create table "Contacts" (id serial primary key, name varchar(255), number varchar(255) not null, email varchar(255) default '', "profilePicUrl" text,
    "isGroup" boolean default false, channel varchar(255) default 'whatsapp', "companyId" int references "Companies", "createdAt" timestamptz, "updatedAt" timestamptz);
  create table "WhatsappLidMaps" (id serial primary key, lid varchar(255), "companyId" int, "contactId" int, "createdAt" timestamptz, "updatedAt" timestamptz);
  create table "ContactCustomFields" (id serial primary key, name varchar(255), value varchar(255), "contactId" int, "createdAt" timestamptz, "updatedAt" timestamptz);
  create table "Tickets" (id serial primary key, status varchar(255), "unreadMessages" int, "lastMessage" text, "isGroup" boolean, uuid uuid,
    "userId" int, "contactId" int, "whatsappId" int, "queueId" int, chatbot boolean, "companyId" int references "Companies", "createdAt" timestamptz, "updatedAt" timestamptz);
  create table "TicketTraking" (id serial primary key, "ticketId" int, "companyId" int, "userId" int, "queuedAt" timestamptz, "startedAt" timestamptz,
    "finishedAt" timestamptz, "ratingAt" timestamptz, rated boolean, "createdAt" timestamptz, "updatedAt" timestamptz);
  create table "UserRatings" (id serial primary key, "ticketId" int, "companyId" int, "userId" int, rate int, "createdAt" timestamptz, "updatedAt" timestamptz);
  create table "Messages" (id varchar(255) primary key, "remoteJid" text, participant text, "dataJson" text, ack int, read boolean, "fromMe" boolean,
    body text, "mediaUrl" varchar(255), "mediaType" varchar(255), "isDeleted" boolean default false, "isEdited" boolean default false,
    "quotedMsgId" varchar(255), "ticketId" int, "contactId" int, "queueId" int, "companyId" int, "createdAt" timestamptz, "updatedAt" timestamptz);
  create table "Tags" (id serial primary key, name varchar(255), color varchar(255), kanban int default 0, "companyId" int, "createdAt" timestamptz, "updatedAt" timestamptz);
  create table "TicketTags" ("ticketId" int, "tagId" int, "createdAt" timestamptz, "updatedAt" timestamptz);
  create table "TicketNotes" (id serial primary key, note text, "userId" int, "contactId" int, "ticketId" int, "createdAt" timestamptz, "updatedAt" timestamptz);
  create table "QuickMessages" (id serial primary key, shortcode varchar(255), message text, "userId" int, geral boolean, "mediaPath" text, "mediaName" text,
    "companyId" int, "createdAt" timestamptz, "updatedAt" timestamptz);
  create table "Schedules" (id serial primary key, body text, "sendAt" timestamptz, "sentAt" timestamptz, "contactId" int, "userId" int, status varchar(255),
    "companyId" int, "createdAt" timestamptz, "updatedAt" timestamptz);
  create table "ContactLists" (id serial primary key, name varchar(255), "companyId" int, "createdAt" timestamptz, "updatedAt" timestamptz);
  create table "ContactListItems" (id serial primary key, name varchar(255), number varchar(255), email varchar(255) default '', "isWhatsappValid" boolean,
    "contactListId" int, "companyId" int, "createdAt" timestamptz, "updatedAt" timestamptz);
  create table "Campaigns" (id serial primary key, name varchar(255), message1 text default '', message2 text default '', message3 text default '',
    message4 text default '', message5 text default '', status varchar(255), confirmation boolean default false, "scheduledAt" timestamptz,
    "completedAt" timestamptz, "contactListId" int, "companyId" int, "createdAt" timestamptz, "updatedAt" timestamptz);
  create table "CampaignShipping" (id serial primary key, "jobId" text, number varchar(255), message text, "contactId" int, "campaignId" int,
    "confirmationRequestedAt" timestamptz, "deliveredAt" timestamptz, "confirmedAt" timestamptz, "createdAt" timestamptz, "updatedAt" timestamptz);
`;
