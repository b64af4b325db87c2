/** The output of the examples: sections, aligned rows, and colours on terminals that support them. */

const colourful = process.stdout.isTTY && (process.env.NO_COLOR ?? '') === '';
const paint = (code: number) => (text: string) => (colourful ? `\u001b[${code}m${text}\u001b[0m` : text);

export const bold = paint(1);
export const dim = paint(2);
export const red = paint(31);
export const green = paint(32);

let section = 0;

/** Starts a numbered section. */
export function heading(title: string): void {
  section += 1;
  console.log(`\n${bold(`${section}  ${title}`)}`);
}

/** An indented line. */
export function line(text = ''): void {
  console.log(text === '' ? '' : `   ${text}`);
}

/** A name and its value, aligned. */
export function row(name: string, value: string | number): void {
  line(`${dim(name.padEnd(14))}${value}`);
}

/** A bar for a share from 0 to 1. */
export function bar(share: number, width = 24): string {
  const full = Math.round(share * width);
  return green('█'.repeat(full)) + dim('░'.repeat(width - full));
}

/** A fraction as a percentage. */
export const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
