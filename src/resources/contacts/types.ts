import type { LiteralUnion } from 'type-fest';

/**
 * The subscription status of a contact: one of the known ones, or one the service has added since. A `subscribed`
 * contact receives campaigns.
 */
export type ContactStatus = LiteralUnion<'subscribed' | 'unsubscribed', string>;

/** The value of a contact field, or of a parameter of an event. */
export type ContactValue = string | number | boolean | null;

/** Values by name: of contact fields by their `merge_tag`, or of an event's parameters. */
export type ContactValues = Readonly<Record<string, ContactValue>>;

/** A contact. */
export interface Contact {
  /** UUID of the contact. */
  id: string;
  /** Email address; an account has one contact for an address. */
  email: string;
  /** Values of the contact fields, by their `merge_tag`. */
  fields: Record<string, ContactValue>;
  /** Ids of the lists the contact is on. */
  list_ids: number[];
  /** The subscription status of the contact. */
  status: ContactStatus;
  /** When the contact was created, in milliseconds since 1970. */
  created_at: number;
  /** When the contact was last changed, in milliseconds since 1970. */
  updated_at: number;
}

/** Parameters of `contacts.create`. */
export interface ContactCreateParams {
  /** Email address; the service rejects the address of an existing contact. */
  email: string;
  /** Values of contact fields, by their `merge_tag`. */
  fields?: ContactValues | undefined;
  /** Ids of the lists to put the contact on. */
  list_ids?: readonly number[] | undefined;
}

/** Parameters of `contacts.update`. Only the given fields change. */
export interface ContactUpdateParams {
  /** The new email address; for a created contact its address, unless the call names the contact by its address. */
  email?: string | undefined;
  /** Values of contact fields, by their `merge_tag`; other fields keep their values. */
  fields?: ContactValues | undefined;
  /** Ids of lists to put the contact on. */
  list_ids_included?: readonly number[] | undefined;
  /** Ids of lists to take the contact off. */
  list_ids_excluded?: readonly number[] | undefined;
  /** `true` unsubscribes the contact from every list, `false` subscribes it again. */
  unsubscribed?: boolean | undefined;
}

/** The result of `contacts.update`. */
export interface ContactUpdateResult {
  /** The contact as it is now. */
  data: Contact;
  /**
   * Whether the contact existed. If a response was lost and the call was retried, this is the action of the retry:
   * `updated`, even if the first request created the contact.
   */
  action: LiteralUnion<'created' | 'updated', string>;
}

/** Parameters of `contacts.createEvent`. */
export interface ContactEventCreateParams {
  /** Name of the event, at most 255 characters. */
  name: string;
  /** Values of the event for automations. */
  params?: ContactValues | undefined;
}

/** An event of a contact: the result of `contacts.createEvent`. */
export interface ContactEvent {
  /** UUID of the contact. */
  contact_id: string;
  /** Email address of the contact. */
  contact_email: string;
  /** Name of the event. */
  name: string;
  /** Parameters of the event. */
  params: Record<string, ContactValue>;
}

/** A list of contacts, an audience of campaigns. */
export interface ContactList {
  /** Id of the list; a campaign has it in `contact_list_ids`. */
  id: number;
  /** Name of the list. */
  name: string;
}

/** Parameters of `contacts.lists.list`. */
export interface ContactListListParams {
  /** The beginning of the names, in upper or lower case. */
  search?: string | undefined;
}

/** Parameters of `contacts.lists.create` and `contacts.lists.update`. */
export interface ContactListParams {
  /** Name of the list. */
  name: string;
}

/** Type of a contact field's values: one of the known ones, or one the service has added since. */
export type ContactFieldType = LiteralUnion<'text' | 'integer' | 'float' | 'boolean' | 'date', string>;

/** A field that contacts have besides their email address. */
export interface ContactField {
  /** Id of the field. */
  id: number;
  /** Name of the field. */
  name: string;
  /** Type of its values. */
  data_type: ContactFieldType;
  /** The field's name in `fields` of a contact, and in templates. */
  merge_tag: string;
}

/** Parameters of `contacts.fields.update`. The type of a field cannot change. */
export interface ContactFieldUpdateParams {
  /** Name of the field, at most 80 characters. */
  name?: string | undefined;
  /** The field's name in `fields` of a contact and in templates, at most 80 characters. */
  merge_tag?: string | undefined;
}

/** Parameters of `contacts.fields.create`. */
export interface ContactFieldCreateParams extends ContactFieldUpdateParams {
  /** Name of the field, at most 80 characters. */
  name: string;
  /** Type of its values. */
  data_type: ContactFieldType;
  /** The field's name in `fields` of a contact and in templates, at most 80 characters. */
  merge_tag: string;
}
