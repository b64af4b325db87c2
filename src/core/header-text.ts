/** What would end one header of an email and begin another, where the email is written out. */
export const ENDS_HEADER = /[\r\n\0]/;
