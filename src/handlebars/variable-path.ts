/** The path of a variable: the name or number of its last step, and the path before it. */
export interface VariablePath {
  readonly step: string | number;
  /** Undefined for the variables as a whole. */
  readonly in: VariablePath | undefined;
}

/** The variables as a whole. */
export const VARIABLES: VariablePath = { step: '', in: undefined };

/** The path as written in code: `items[0].price`. */
export function pathText({ step, in: outer }: VariablePath): string {
  if (outer === undefined) return '';
  const before = pathText(outer);
  if (typeof step === 'number') return `${before}[${step}]`;
  if (before === '') return step;
  return isName(step) ? `${before}.${step}` : `${before}[${JSON.stringify(step)}]`;
}

/** Whether a text is a name of JavaScript, which needs no quotes. */
export const isName = (text: string): boolean => /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(text);
