// The clients of other services, with keys that are none: they are looked at, and nothing is called.
import sgMail from '@sendgrid/mail';
import { ServerClient } from 'postmark';
import { Resend } from 'resend';

export const resend = new Resend('re_none');
export const client = new ServerClient('none');
export { sgMail };
