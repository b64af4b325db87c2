/** The characters that would end a header of an email and let a value add another one. */
export const ENDS_HEADER = /[\r\n\0]/;
