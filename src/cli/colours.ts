import type { Surroundings } from './surroundings.ts';

const styled = (start: number, end: number) => (text: string) => `\u001B[${start}m${text}\u001B[${end}m`;
const plain = (text: string) => text;

/** Styles text for one of the outputs. */
export interface Colours {
  readonly bold: (text: string) => string;
  readonly red: (text: string) => string;
}

/** True if an output has colours: it is a terminal, and `NO_COLOR` is not set. */
export const hasColours = ({ isTerminal, env }: Surroundings, output: 'out' | 'err'): boolean =>
  isTerminal[output] && (env.NO_COLOR ?? '') === '';

/** The colours of an output. Text stays plain for an output without colours. */
export const coloursOf = (surroundings: Surroundings, output: 'out' | 'err'): Colours =>
  hasColours(surroundings, output)
    ? { bold: styled(1, 22), red: styled(31, 39) }
    : { bold: plain, red: plain };
