/** An email template, written in Handlebars; emails are sent with it by its `uuid`. */
export interface Template {
  /** Id for reading, changing and deleting the template. */
  id: number;
  /** UUID for sending with the template, as `template_uuid`. */
  uuid: string;
  /** Name of the template. */
  name: string;
  /** Category of emails sent with the template. */
  category: string;
  /** Subject line. */
  subject: string;
  /** HTML design, written in Handlebars; null until there is one. */
  body_html: string | null;
  /** Plain-text alternative, written in Handlebars; null when there is none. */
  body_text: string | null;
  /** When the template was created, as an ISO 8601 date-time. */
  created_at: string;
  /** When the template was last changed, as an ISO 8601 date-time. */
  updated_at: string;
}

/** Parameters of `templates.update`. Only the given fields change. */
export interface TemplateUpdateParams {
  /** Name of the template, at most 255 characters. */
  name?: string | undefined;
  /** Subject line, at most 255 characters. */
  subject?: string | undefined;
  /** Category of emails sent with the template, at most 255 characters. */
  category?: string | undefined;
  /** HTML design, at most 10 000 000 characters of Handlebars. */
  body_html?: string | null | undefined;
  /** Plain-text alternative, at most 10 000 000 characters of Handlebars. */
  body_text?: string | null | undefined;
}

/** Parameters of `templates.create`. */
export interface TemplateCreateParams extends TemplateUpdateParams {
  /** Name of the template, at most 255 characters. */
  name: string;
  /** Subject line, at most 255 characters. */
  subject: string;
  /** Category of emails sent with the template, at most 255 characters. */
  category: string;
}
