export { createContact } from "./contacts.service.ts";
export { askPictures, followPictures, pictureDueSince } from "./pictures.ts";
export { createContactBook } from "./people.ts";
export type { Belongings, ContactBook } from "./people.ts";
