import type { LiteralUnion } from 'type-fest';

/** A filter of an export; a contact has to match all of them. */
export type ContactExportFilter =
  | {
      /** Filters by list. */
      name: 'list_id';
      /** The only operator. */
      operator: 'equal';
      /** Ids of lists; a contact on any of them matches. */
      value: readonly number[];
    }
  | {
      /** Filters by status. */
      name: 'subscription_status';
      /** The only operator. */
      operator: 'equal';
      /** Status that the contacts have to have. */
      value: 'subscribed' | 'unsubscribed';
    };

/** Parameters of `contacts.exports.create`. */
export interface ContactExportCreateParams {
  /** Filters that a contact has to match; all contacts without any. */
  filters?: readonly ContactExportFilter[] | undefined;
}

/** How far an export is: one of the known statuses, or one the service has added since. */
export type ContactExportStatus = LiteralUnion<'created' | 'started' | 'finished', string>;

/** An export of contacts. */
export interface ContactExport {
  /** Id of the export. */
  id: number;
  /** How far it is. */
  status: ContactExportStatus;
  /** When the export was created, as an ISO 8601 date-time. */
  created_at: string;
  /** When the export last changed, as an ISO 8601 date-time. */
  updated_at: string;
  /** Temporary signed URL of the file, a gzip-compressed CSV; null until it has finished. */
  url: string | null;
}
